import { JSON_TYPE, type Receiver, type SentRequest } from '../sent-request.ts';

/** https://ghost.org/docs/webhooks/: without a secret of the webhook there is no signature. */
export const added = ({ address }: Pick<Receiver, 'address'>, member: 'tag' | 'member', name: string): SentRequest => ({
  url: address,
  headers: {
    ...JSON_TYPE,
    'User-Agent': 'Ghost/5.0 (https://github.com/TryGhost/Ghost)',
    'Content-Version': 'v5.0',
  },
  body: JSON.stringify({
    [member]: {
      current: { id: `63887bd07f2cf30001fe${name.length}`, name, created_at: '2026-01-01T00:00:00.000Z' },
      previous: {},
    },
  }),
});
