import { JSON_TYPE, type Receiver, type SentRequest } from '../sent-request.ts';

const from = { id: 1111, is_bot: false, first_name: 'Test', last_name: 'Lastname', username: 'Test' };
const channel = { id: -1001, title: 'News', type: 'channel' };

/** https://core.telegram.org/bots/api#update: the address itself is the secret. */
const MEMBERS = {
  message: (n: number) => ({
    message_id: 1360 + n,
    from,
    chat: { ...from, type: 'private' },
    date: 1_441_645_532,
    text: `/start ${n}`,
  }),
  channel_post: (n: number) => ({
    message_id: 1360 + n,
    sender_chat: channel,
    chat: channel,
    date: 1_441_645_532,
    text: `Post ${n}`,
  }),
};

export const update = (
  { address }: Pick<Receiver, 'address'>,
  member: keyof typeof MEMBERS,
  n: number,
): SentRequest => ({
  url: address,
  headers: JSON_TYPE,
  body: JSON.stringify({ update_id: 10_000 + n, [member]: MEMBERS[member](n) }),
});
