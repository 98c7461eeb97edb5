import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestCloud } from './cloud.ts';
import { IdentityProvider } from './identity-provider.ts';
import { adminJson, operatorAt } from './operator.ts';

/** A public address of the ingress with another host than the API: people sign in with no other. */
export const OTHER_HOST = { publicUrl: 'http://hooks.localhost:3001' };

type Lists = Record<string, { owners?: string[]; viewers?: string[] }>;

/** An identity provider at which people sign in to the console of a cloud. */
export async function startConsoleProvider(cloud: TestCloud, users: Lists): Promise<IdentityProvider> {
  const provider = await IdentityProvider.start();
  provider.register({
    redirectUris: [`${cloud.base}/session/callback`],
    postLogoutRedirectUris: [`${cloud.origin}/console`],
  });
  const path = join(cloud.dataDir, 'sign-in.json');
  writeFileSync(
    path,
    JSON.stringify({
      name: 'Example ID',
      issuer: provider.issuer,
      client_id: provider.clientId,
      client_secret: provider.clientSecret,
      scope: 'openid email profile groups offline_access',
      users,
    }),
  );
  await adminJson(operatorAt(cloud), ['sign-in', 'set', path]);
  return provider;
}
