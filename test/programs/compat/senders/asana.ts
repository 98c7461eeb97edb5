import { createHmac } from 'node:crypto';
import { JSON_TYPE, type Receiver, type SentRequest } from '../sent-request.ts';

/*
 * https://developers.asana.com/docs/webhooks-guide: the handshake comes while the receiver waits for the response to
 * its registration.
 */

export const handshake = ({ address, secret }: Receiver): SentRequest => ({
  url: address,
  headers: { ...JSON_TYPE, 'X-Hook-Secret': secret },
  body: '{}',
});

export function projectAdded({ address, secret }: Receiver, gid: string): SentRequest {
  const event = {
    user: { gid: '1111', resource_type: 'user' },
    created_at: '2026-01-01T00:00:00.000Z',
    action: 'added',
    resource: { gid, resource_type: 'project', name: gid },
    parent: { gid: '2222', resource_type: 'workspace' },
  };
  const body = JSON.stringify({ events: [event] });
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return { url: address, headers: { ...JSON_TYPE, 'X-Hook-Signature': signature }, body };
}
