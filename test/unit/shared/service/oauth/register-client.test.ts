import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { OAuthClient } from '../../../../../shared/domain/oauth/oauth-client.ts';
import { registerClient } from '../../../../../shared/service/oauth/register-client.ts';

const FIXED = { authorization: 'https://acme.example/authorize', token: 'https://acme.example/token' };
const ADDRESSES = ['authorization', 'token', 'revocation', 'identity'] as const;

/** Registers a client, and gives what was stored. */
async function registered(settings: object, provider?: string): Promise<OAuthClient[]> {
  const stored: OAuthClient[] = [];
  await registerClient(
    {
      clients: {
        find: () => Promise.resolve(undefined),
        ofApp: () => Promise.resolve(undefined),
        put: (client) => Promise.resolve(stored.push(client) > 0),
      },
      vault: { encrypt: () => Promise.resolve({ dataKey: 'key', nonce: 'nonce', text: 'text' }) },
      random: (bytes) => randomBytes(bytes),
      now: () => 1,
    },
    { apps: ['acme'], provider, clientId: 'id', clientSecret: 'secret', settings },
  );
  return stored;
}

describe('a client whose placeholder is the whole host of an address is refused', () => {
  test.each(ADDRESSES)('%s', async (name) => {
    await expect(registered({ ...FIXED, [name]: 'https://{host}/x' })).rejects.toThrow(/--\S+-url .*whole host/);
    await expect(registered({ ...FIXED, [name]: 'https://{host}/x', parameters: { host: 'acme' } })).rejects.toThrow(
      /whole host/,
    );
    await expect(registered({ ...FIXED, [name]: 'https://{shop}.com/x' })).rejects.toThrow(/fixed domain/);
  });

  test('a value of the operator, and the pattern of an entry, bound a placeholder', async () => {
    const token = 'https://{shop}.com/x';
    expect(await registered({ ...FIXED, token, parameters: { shop: 'acme' } })).toHaveLength(1);
    expect(await registered({ token: 'https://accounts.{domain}/token' }, 'zoho')).toHaveLength(1);
    await expect(registered({ token: 'https://accounts.{other}/token' }, 'zoho')).rejects.toThrow(/\{other\}/);
    expect(await registered({}, 'shopify')).toMatchObject([{ provider: 'shopify' }]);
    expect(await registered({ ...FIXED, token: 'https://{shop}.acme.example/x' })).toHaveLength(1);
  });
});
