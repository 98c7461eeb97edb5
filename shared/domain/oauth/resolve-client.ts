import type { OAuthClient } from './oauth-client.ts';
import { isPlaceholderValue, type ProviderEntry } from './provider.ts';
import { filledAddress, placeholdersIn } from './provider-address.ts';
import { providerNamed } from './providers.ts';
import type { Provider, ResolvedClient } from './resolved-client.ts';
import { invalidField } from '../check.ts';

/** A host name has at most so many characters. */
const LONGEST_VALUE = 253;

type Registered = Pick<OAuthClient, 'apps' | 'provider' | 'settings' | 'clientId' | 'secret'>;

const entryOf = ({ provider }: Pick<OAuthClient, 'provider'>): ProviderEntry | undefined =>
  provider === undefined ? undefined : providerNamed(provider);

/** The provider's name in sentences. */
export const titleOf = (client: Pick<OAuthClient, 'provider' | 'apps'>): string =>
  entryOf(client)?.title ?? client.apps[0] ?? '';

/** The entry of the provider with what the operator set instead. Addresses may have placeholders. */
function providerOf(client: Registered): Provider {
  const entry = entryOf(client);
  const { settings, secret } = client;
  const { authorization = entry?.authorization, token = entry?.token } = settings;
  if (authorization === undefined || token === undefined)
    throw new Error(`The OAuth client of ${client.apps.join(', ')} has no addresses`);
  const addresses = {
    authorization,
    token,
    refresh: settings.token === undefined ? entry?.refresh : undefined,
    revocation: settings.revocation ?? entry?.revocation,
    identity: settings.identity === undefined ? entry?.identity : { address: settings.identity },
  };
  const declared = entry?.placeholders ?? {};
  const names = placeholdersIn([
    ...[authorization, token, addresses.refresh, addresses.revocation],
    addresses.identity?.address,
  ]);
  return {
    ...addresses,
    placeholders: Object.fromEntries(names.map((name) => [name, declared[name] ?? { title: name, field: name }])),
    issuer: settings.issuer ?? entry?.issuer,
    scopeSeparator: settings.scopeSeparator ?? entry?.scopeSeparator ?? ' ',
    scopes: settings.scopes ?? entry?.scopes ?? [],
    granted: entry?.granted,
    pkce: settings.pkce ?? entry?.pkce ?? 'S256',
    tokenAuth: settings.tokenAuth ?? (secret === undefined ? 'none' : (entry?.tokenAuth ?? 'basic')),
    authorizationParameters: {
      ...entry?.authorizationParameters,
      ...Object.fromEntries(Object.entries(settings.parameters ?? {}).filter(([name]) => !names.includes(name))),
    },
    tokenParameters: entry?.tokenParameters,
    answer: settings.answer ?? entry?.answer,
    lifetime: settings.lifetime ?? entry?.lifetime,
    voidErrors: entry?.voidErrors,
    errorCodes: entry?.errorCodes,
    errorPattern: entry?.errorPattern,
    uid: settings.uid ?? entry?.uid,
    fields: { ...entry?.fields, ...settings.fields },
    quirks: settings.quirks ?? entry?.quirks ?? [],
  };
}

export function openPlaceholders(client: Registered): NonNullable<Provider['placeholders']> {
  const { parameters = {} } = client.settings;
  const { placeholders = {} } = providerOf(client);
  return Object.fromEntries(Object.entries(placeholders).filter(([name]) => !Object.hasOwn(parameters, name)));
}

/**
 * The values of all placeholders of a provider. Throws `invalid` for one that is missing, unknown, or has another form.
 */
export function checkedParameters(
  client: Registered,
  requested: Readonly<Record<string, string>>,
): Record<string, string> {
  const open = openPlaceholders(client);
  const unknown = Object.keys(requested).find((name) => !Object.hasOwn(open, name));
  if (unknown !== undefined)
    throw invalidParameter(
      unknown,
      Object.keys(open).length === 0
        ? 'is not taken: this app has no parameters'
        : `is none of ${Object.keys(open).join(', ')}`,
    );
  const { parameters = {} } = client.settings;
  const { placeholders = {} } = providerOf(client);
  return Object.fromEntries(
    Object.entries(placeholders).map(([name, placeholder]) => {
      const { title } = placeholder;
      const value = Object.hasOwn(requested, name) ? requested[name] : parameters[name];
      if (value === undefined) throw invalidParameter(name, `is required: ${title}`);
      if (value.length > LONGEST_VALUE || !isPlaceholderValue(placeholder, value))
        throw invalidParameter(name, `does not have the form of: ${title}`);
      return [name, value];
    }),
  );
}

const invalidParameter = (name: string, message: string) => invalidField(`parameters.${name}`, message);

/** The scopes to ask for. `scopes` replaces those of the app. */
export function scopesToAsk(client: Registered, app: string, scopes?: readonly string[]): string[] {
  const entry = entryOf(client);
  const { settings } = client;
  const basic = settings.scopes === undefined ? (entry?.scopes ?? []) : [];
  return [...new Set([...basic, ...(scopes ?? settings.scopes ?? entry?.apps[app] ?? [])])];
}

export function resolveClient(
  client: Registered,
  {
    ownerId,
    parameters,
    clientSecret,
  }: Pick<ResolvedClient, 'ownerId' | 'clientSecret'> & {
    parameters: Readonly<Record<string, string>>;
  },
): ResolvedClient {
  const { authorization, token, refresh, revocation, identity, ...provider } = providerOf(client);
  const fill = (address: string) => filledAddress(address, parameters);
  return {
    ownerId,
    app: client.apps[0] ?? '',
    clientId: client.clientId,
    clientSecret,
    provider: {
      ...provider,
      authorization: fill(authorization),
      token: fill(token),
      refresh: refresh === undefined ? undefined : fill(refresh),
      revocation: revocation === undefined ? undefined : fill(revocation),
      identity: identity === undefined ? undefined : { ...identity, address: fill(identity.address) },
    },
  };
}
