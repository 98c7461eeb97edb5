import { createHash, createHmac } from 'node:crypto';
import { JSON_TYPE, type Receiver, type SentRequest } from '../sent-request.ts';

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * https://docs.netlify.com/deploy/deploy-notifications/#payload-signature: a JWS whose claim is the hash of the body.
 */
export function deployBuilding({ address, secret }: Receiver, n: number): SentRequest {
  const body = JSON.stringify({
    id: `5e5e5e5e5e5e5e5e5e5e5e5${n}`,
    site_id: '3970e0fe-8564-4903-9a55-c5f8de49fb8b',
    state: 'building',
    name: 'acme',
    commit_ref: `3a1b2c3d${n}`,
    created_at: '2026-01-01T00:00:00.000Z',
  });
  const sha256 = createHash('sha256').update(body).digest('hex');
  const unsigned = `${base64url({ alg: 'HS256' })}.${base64url({ iss: 'netlify', sha256 })}`;
  const signature = createHmac('sha256', secret).update(unsigned).digest('base64url');
  return {
    url: address,
    headers: {
      ...JSON_TYPE,
      'X-Netlify-Event': 'deploy_building',
      'X-Webhook-Signature': `${unsigned}.${signature}`,
    },
    body,
  };
}
