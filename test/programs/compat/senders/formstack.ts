import { JSON_TYPE, type Receiver, type SentRequest } from '../sent-request.ts';

/**
 * https://help.formstack.com/hc/en-us/articles/360019520771-Webhooks: JSON, with the shared secret as one of its
 * members.
 */
export const submission = ({ address, secret }: Receiver, n: number): SentRequest => ({
  url: address,
  headers: JSON_TYPE,
  body: JSON.stringify({
    FormID: '31',
    UniqueID: `96178${n}`,
    Name: { value: { first: 'Ann', last: 'Lee' }, field_type: 'name' },
    HandshakeKey: secret,
  }),
});
