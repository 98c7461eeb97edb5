import { JSON_TYPE, type Receiver, type SentRequest } from '../sent-request.ts';

/** https://www.supersaas.com/info/dev/webhooks */
export const userAdded = ({ address }: Pick<Receiver, 'address'>, n: number): SentRequest => ({
  url: address,
  headers: JSON_TYPE,
  body: JSON.stringify({
    event: 'new',
    id: 100_000 + n,
    name: `ann${n}@example.com`,
    full_name: 'Ann Lee',
    email: `ann${n}@example.com`,
    role: 3,
    created_on: '2026-01-01T00:00:00Z',
    deleted: false,
  }),
});
