import type { IdentityClient, IdentityProvider } from '../../aws/identity/identity-provider.ts';
import type { Vault } from '../../aws/vault.ts';
import type { SignInSettings } from '../../domain/person/sign-in-settings.ts';
import type { SignInSettingsStore } from '../../store/users/sign-in-settings-store.ts';

export interface IdentityContext {
  identityProvider: IdentityProvider;
  signInSettings: Pick<SignInSettingsStore, 'find'>;
  vault: Pick<Vault, 'encrypt' | 'decrypt'>;
  publicApiUrl: string;
}

export interface CurrentClient {
  settings: SignInSettings;
  client: IdentityClient;
}

/** The client of the settings with its secret; undefined when nobody signs in here. */
export async function currentClient({ signInSettings, vault }: IdentityContext): Promise<CurrentClient | undefined> {
  const settings = await signInSettings.find();
  if (!settings) return undefined;
  const { client: id, issuer, clientId, groupsClaim, secret: sealed } = settings;
  const fields = sealed && (await vault.decrypt({ id, ownerId: 'operator', sealed }));
  return { settings, client: { issuer, clientId, groupsClaim, clientSecret: fields?.['client_secret'] } };
}
