import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { redirectAddress } from '../../../shared/domain/oauth/connect-addresses.ts';
import { type OAuthClient, ProviderSettings } from '../../../shared/domain/oauth/oauth-client.ts';
import { OAUTH_PROVIDERS } from '../../../shared/domain/oauth/providers.ts';
import { deleteClient } from '../../../shared/service/oauth/delete-client.ts';
import { registerClient } from '../../../shared/service/oauth/register-client.ts';
import { refusedFailure } from '../../tributary/failures.ts';
import { operatorCommand } from '../operator-command.ts';

const { shape } = ProviderSettings;

const slug = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/, 'must be the slug of an app, like my_app');

/** Repeated `name=value`; everything after the first `=` is the value. */
const pairs = z.array(z.string()).transform((texts, context): Record<string, string> => {
  const read = texts.map((each) => /^([A-Za-z0-9_.-]{1,64})=(.*)$/s.exec(each));
  if (read.includes(null)) {
    context.addIssue({ code: 'custom', message: 'must be written name=value' });
    return z.NEVER;
  }
  return Object.fromEntries(read.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']));
});

/** The options that replace facts of a provider's entry. */
const settings = {
  authorizeUrl: shape.authorization,
  tokenUrl: shape.token,
  revokeUrl: shape.revocation,
  identityUrl: shape.identity,
  issuer: shape.issuer,
  scope: shape.scopes,
  scopeSeparator: shape.scopeSeparator,
  parameter: pairs.pipe(shape.parameters.unwrap()).optional(),
  tokenAuth: shape.tokenAuth,
  pkce: z.boolean(),
  uid: shape.uid,
  field: pairs.pipe(shape.fields.unwrap()).optional(),
  answer: shape.answer,
  lifetime: z
    .string()
    .regex(/^[1-9]\d{0,9}$/, 'must be a number of seconds')
    .transform(Number)
    .optional(),
  quirk: shape.quirks,
};

type Options = z.output<z.ZodObject<typeof settings>>;

const settingsOf = ({
  authorizeUrl: authorization,
  tokenUrl: token,
  revokeUrl: revocation,
  identityUrl: identity,
  scope: scopes,
  parameter: parameters,
  pkce,
  field: fields,
  quirk: quirks,
  ...same
}: Options): ProviderSettings =>
  ProviderSettings.parse(
    JSON.parse(
      // Options that are not given are absent.
      JSON.stringify({
        ...same,
        ...{ authorization, token, revocation, identity, scopes, parameters, fields, quirks },
        ...(pkce ? {} : { pkce: 'none' }),
      }),
    ),
  );

const shown = ({ id, apps, provider, clientId, secret, settings: replaced, createdAt, updatedAt }: OAuthClient) => ({
  id,
  apps,
  provider: provider ?? null,
  client_id: clientId,
  has_secret: secret !== undefined,
  settings: replaced,
  created_at: Math.floor(createdAt / 1000),
  updated_at: Math.floor(updatedAt / 1000),
});

const redirectLine = (publicApiUrl: string) => `Redirect address: ${redirectAddress(publicApiUrl)}`;

/** The last line break of a file is no part of the secret. */
async function secretOf(path: string): Promise<string> {
  const read = path === '-' ? text(process.stdin) : readFile(path, 'utf8');
  const secret = (
    await read.catch(() => {
      throw refusedFailure(`The file ${path} cannot be read.`);
    })
  ).replace(/\r?\n$/, '');
  if (secret === '') throw refusedFailure('The client secret is empty.');
  return secret;
}

export const addOAuthClient = operatorCommand({
  usage: 'add',
  about: 'Register a client at a provider, or replace that of its apps; users then connect accounts by signing in.',
  options: [
    ['--app <slug...>', 'slug of an app; all of the provider otherwise'],
    ['--client-id <id>', 'id of the client at the provider'],
    ['--client-secret-file <path>', 'file with its secret, - for standard input; none for a public client'],
    ['--provider <name>', 'built-in provider; that of the app otherwise'],
    ['--authorize-url <url>', 'address where users sign in'],
    ['--token-url <url>', 'address for tokens'],
    ['--revoke-url <url>', 'address that revokes tokens'],
    ['--identity-url <url>', 'address that says whose token it is'],
    ['--issuer <url>', 'issuer in answers of the provider'],
    ['--scope <scope...>', 'scope to ask for'],
    ['--scope-separator <text>', 'a space or a comma'],
    ['--parameter <name=value...>', 'value of a placeholder, or parameter of the sign-in address'],
    ['--token-auth <how>', 'basic, post, json or none'],
    ['--no-pkce', 'the provider does not take PKCE'],
    ['--uid <path>', 'where the login stands, like identity.sub; sub, id or user_id otherwise'],
    ['--field <name=path...>', 'further field that components read'],
    ['--answer <path>', 'object in the answer that has the token, like body'],
    ['--lifetime <seconds>', 'lifetime of access tokens that do not tell it'],
    ['--quirk <name...>', 'deviation from the standard'],
  ],
  input: z.strictObject({
    app: z.array(slug).default([]),
    clientId: z.string('is needed').min(1, 'is empty').max(1_024),
    clientSecretFile: z.string().min(1, 'is empty').optional(),
    provider: z.string().optional(),
    ...settings,
  }),
  examples: [
    [
      'tributary admin oauth-clients add --app github --client-id Iv1.… --client-secret-file secret.txt',
      'a client of a built-in provider',
    ],
    [
      'tributary admin oauth-clients add --app my_app --client-id ID --authorize-url https://… --token-url https://…',
      'a public client of any other provider',
    ],
  ],
  run: async (operator, { app, clientId, clientSecretFile, provider, ...options }) => {
    const { clients, vault, names, random, now } = operator;
    const clientSecret = clientSecretFile === undefined ? undefined : await secretOf(clientSecretFile);
    const client = await registerClient(
      { clients, vault, random, now },
      { apps: app, provider, clientId, clientSecret, settings: settingsOf(options) },
    );
    return {
      json: { ...shown(client), redirect_address: redirectAddress(names.publicApiUrl) },
      text: `Registered the client ${client.id} of ${client.apps.join(', ')}.\n${redirectLine(names.publicApiUrl)}`,
    };
  },
});

export const listOAuthClients = operatorCommand({
  usage: 'list',
  role: 'read',
  about: 'List the registered clients, without their secrets.',
  input: z.strictObject({}),
  examples: [
    ['tributary admin oauth-clients list', 'with the redirect address'],
    ['tributary admin oauth-clients list --json', 'with the settings of each'],
  ],
  run: async ({ clients, names }) => {
    const found = await clients.list();
    const lines = found.map(({ id, provider = 'own', clientId, apps }) =>
      [id, provider, clientId, apps.join(', ')].join('  '),
    );
    return {
      json: { redirect_address: redirectAddress(names.publicApiUrl), clients: found.map(shown) },
      text: [...(lines.length === 0 ? ['There are no OAuth clients.'] : lines), redirectLine(names.publicApiUrl)].join(
        '\n',
      ),
    };
  },
});

export const deleteOAuthClient = operatorCommand({
  usage: 'delete',
  about: 'Delete the client of an app, with all of its apps; refused while accounts use it.',
  options: [
    ['--app <slug>', 'an app of the client'],
    ['--force', 'also while accounts use it: they cannot be renewed any more'],
  ],
  input: z.strictObject({ app: z.string('is needed').pipe(slug), force: z.boolean().default(false) }),
  examples: [
    ['tributary admin oauth-clients delete --app github', 'unless accounts use it'],
    ['tributary admin oauth-clients delete --app github --force', 'whatever uses it'],
  ],
  run: async (operator, { app, force }) => {
    const client = await operator.clients.ofApp(app);
    if (!client) throw refusedFailure(`There is no OAuth client of ${app}.`);
    const used = await deleteClient(operator, client, { force });
    if (used > 0)
      throw refusedFailure(
        `${used} ${used === 1 ? 'account uses' : 'accounts use'} the client of ${app}. Delete ${used === 1 ? 'it' : 'them'} first, or use --force.`,
      );
    return { json: { id: client.id }, text: `Deleted the client ${client.id} of ${client.apps.join(', ')}.` };
  },
});

export const listOAuthProviders = operatorCommand({
  usage: 'providers',
  role: 'read',
  about: 'List the built-in providers and their apps.',
  input: z.strictObject({}),
  examples: [
    ['tributary admin oauth-clients providers', 'names and apps'],
    ['tributary admin oauth-clients providers --json', 'all facts'],
  ],
  run: () =>
    Promise.resolve({
      json: OAUTH_PROVIDERS,
      text: OAUTH_PROVIDERS.map(({ name, apps }) => `${name}  ${Object.keys(apps).join(', ')}`).join('\n'),
    }),
});
