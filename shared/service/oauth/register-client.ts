import { ServiceError } from '../../domain/errors.ts';
import { newId, OAuthClientId, type Random } from '../../domain/id.ts';
import type { OAuthClient, ProviderSettings } from '../../domain/oauth/oauth-client.ts';
import type { ProviderEntry } from '../../domain/oauth/provider.ts';
import { placeholderProblem } from '../../domain/oauth/provider-address.ts';
import { providerNamed, providerOfApp } from '../../domain/oauth/providers.ts';
import type { Vault } from '../../aws/vault.ts';
import type { OAuthClientStore } from '../../store/accounts/oauth-clients.ts';

export interface RegisterClientContext {
  clients: Pick<OAuthClientStore, 'find' | 'ofApp' | 'put'>;
  vault: Pick<Vault, 'encrypt'>;
  random: Random;
  now(): number;
}

export interface NewClient {
  /** Empty: the apps of the provider's entry. */
  apps: readonly string[];
  provider?: string | undefined;
  clientId: string;
  /** Absent for a public client. */
  clientSecret?: string | undefined;
  settings: ProviderSettings;
}

/** Apps of one client; more would not fit into the transaction that stores them. */
const MAX_APPS = 50;

/**
 * Registers a client, or replaces id, secret and provider of the one that its apps have. Accounts stay: those that were
 * connected with another id at the provider have to be connected again.
 */
export async function registerClient(context: RegisterClientContext, requested: NewClient): Promise<OAuthClient> {
  const { clients, vault, random, now } = context;
  const { entry, apps: named } = withEntry(requested);
  checkHosts(requested.settings, entry);
  const existing = await clientOfApps(context, named);
  const id = existing?.id ?? OAuthClientId.parse(newId('oauthClient', now(), random));
  const { clientId, clientSecret, settings } = requested;
  const client: OAuthClient = {
    id,
    apps: [...new Set([...(existing?.apps ?? []), ...named])].sort(),
    ...(entry === undefined ? {} : { provider: entry.name }),
    settings,
    clientId,
    ...(clientSecret === undefined
      ? {}
      : { secret: await vault.encrypt({ id, ownerId: 'operator' }, { client_secret: clientSecret }) }),
    createdAt: existing?.createdAt ?? now(),
    updatedAt: now(),
    version: (existing?.version ?? 0) + 1,
  };
  if (client.apps.length > MAX_APPS) throw refused('app', `must be at most ${MAX_APPS} apps of one client`);
  if (!(await clients.put(client)))
    throw new ServiceError('unavailable', 'Another command changed the client at the same time. Repeat it.');
  return client;
}

/** An app belongs to its built-in provider unless the addresses are given. */
function withEntry({ provider, apps, settings }: NewClient): {
  entry: ProviderEntry | undefined;
  apps: readonly string[];
} {
  const [first] = apps;
  const hasAddresses = settings.authorization !== undefined && settings.token !== undefined;
  const byApp = provider === undefined && !hasAddresses && first !== undefined ? providerOfApp(first)?.name : undefined;
  const name = provider ?? byApp;
  const entry = name === undefined ? undefined : providerNamed(name);
  if (name !== undefined && !entry)
    throw refused('provider', `must be one of the built-in providers: admin oauth-clients providers lists them`);
  if (!entry && !hasAddresses)
    throw refused('authorize-url', 'and --token-url are needed: there is no built-in provider of the app');
  const all = apps.length > 0 ? apps : Object.keys(entry?.apps ?? {});
  if (all.length === 0) throw refused('app', 'is needed: the provider has no apps of its own');
  return { entry, apps: all };
}

function checkHosts(settings: ProviderSettings, entry: ProviderEntry | undefined): void {
  const { authorization, token, revocation, identity, parameters = {} } = settings;
  const isBounded = (name: string) =>
    Object.hasOwn(parameters, name) || entry?.placeholders?.[name]?.pattern !== undefined;
  const addresses = {
    'authorize-url': authorization,
    'token-url': token,
    'revoke-url': revocation,
    'identity-url': identity,
  };
  for (const [option, address] of Object.entries(addresses)) {
    const problem = address === undefined ? undefined : placeholderProblem(address, isBounded);
    if (problem !== undefined) throw refused(option, problem);
  }
}

async function clientOfApps(
  { clients }: RegisterClientContext,
  apps: readonly string[],
): Promise<OAuthClient | undefined> {
  const found = (await Promise.all(apps.map((app) => clients.ofApp(app)))).filter((each) => each !== undefined);
  const [first] = found;
  if (found.some(({ id }) => id !== first?.id))
    throw refused(
      'app',
      'must not name apps of several registered clients: delete the others first, or name fewer apps',
    );
  return first;
}

const refused = (option: string, message: string) => new ServiceError('invalid_request', `--${option} ${message}.`);
