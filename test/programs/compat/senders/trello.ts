import { createHmac } from 'node:crypto';
import { JSON_TYPE, type Receiver, type SentRequest } from '../sent-request.ts';

/* https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/ */

/** It must be answered with 200 while the webhook is created. */
export const check = ({ address }: Receiver): SentRequest => ({
  url: address,
  method: 'HEAD',
  headers: {},
  body: '',
});

export function action({ address, secret }: Receiver, { type, data }: { type: string; data: object }): SentRequest {
  const body = JSON.stringify({
    action: {
      id: '51f9424bcd6e040f3c002412',
      idMemberCreator: '4fc78a59a885233f4b349bd9',
      data,
      type,
      date: '2026-07-31T16:58:51.949Z',
      memberCreator: { id: '4fc78a59a885233f4b349bd9', fullName: 'Doug Patti', username: 'doug' },
    },
    model: { id: '4d5ea62fd76aa1136000000c', name: 'Trello Development', closed: false },
  });
  const signature = createHmac('sha1', secret).update(`${body}${address}`).digest('base64');
  return { url: address, headers: { ...JSON_TYPE, 'X-Trello-Webhook': signature }, body };
}
