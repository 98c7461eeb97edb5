import * as z from 'zod';
import { hasAtMost } from '../../lib/cut.ts';
import { OAuthClientId, UserId } from '../id.ts';
import { plainText } from '../text.ts';
import { isLoopbackHost, urlProblem } from '../url.ts';
import { SealedFields } from '../user/sealed-fields.ts';

export const LARGEST_SETTINGS_BYTES = 64 * 1024;

const Text = plainText(255).min(1, 'is empty');

/** `ann@acme.com`, `*@acme.com` for all addresses of a domain, `group:ops`. */
const Entry = Text.refine(
  (text) => /^group:.+$/s.test(text) || /^[^\s@]+@[^\s@*]+$/.test(text),
  'must be an address such as ann@acme.com, *@acme.com, or group:NAME',
).refine((text) => !text.includes('*') || text.startsWith('*@'), 'may have * only before the @, as its whole part');

const Entries = z.array(Entry).max(1_000, 'must have at most 1000 entries').default([]);

const Issuer = z
  .string()
  .refine((text) => hasAtMost(text, 1_024), 'must have at most 1024 characters')
  .superRefine((text, context) => {
    const problem = urlProblem(text) ?? issuerProblem(new URL(text));
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  });

function issuerProblem({ protocol, hostname, search, hash }: URL): string | undefined {
  if (search !== '' || hash !== '') return 'must be an address without a query and a fragment';
  return protocol === 'https:' || isLoopbackHost(hostname)
    ? undefined
    : 'must be an https address (http only of this machine)';
}

/** The parameters of an authorization that the service itself sets. */
const OWN_PARAMETERS = [
  ...['response_type', 'client_id', 'redirect_uri', 'scope', 'state', 'nonce'],
  ...['code_challenge', 'code_challenge_method', 'response_mode', 'request', 'request_uri'],
];

const Parameters = z
  .record(z.string().max(100, 'must have at most 100 characters'), Text)
  .refine((all) => Object.keys(all).length <= 10, 'must have at most 10 parameters')
  .refine(
    (all) => !Object.keys(all).some((name) => OWN_PARAMETERS.includes(name)),
    `must not name ${OWN_PARAMETERS.join(', ')}, which the service sets`,
  );

const Lists = z
  .strictObject({ owners: Entries, viewers: Entries })
  .refine(({ owners, viewers }) => owners.length + viewers.length > 0, 'must name an owner or a viewer');

const common = {
  /** The name of the identity provider for people. */
  name: Text.max(60, 'must have at most 60 characters'),
  issuer: Issuer,
  scope: Text.refine((text) => text.split(' ').includes('openid'), 'must include openid').default(
    'openid email profile',
  ),
  /** The claim with the groups of a person. */
  groups_claim: Text.default('groups'),
  /** Further parameters of the authorization address, such as `prompt`. */
  parameters: Parameters.default({}),
};

/** The operator's document. `users` is by id or name. */
export const SignInDocument = z.strictObject({
  ...common,
  client_id: Text,
  client_secret: plainText(1_024).min(1, 'is empty').optional(),
  users: z
    .record(z.string(), Lists)
    .transform((users) => Object.entries(users).map(([user, lists]) => ({ user, ...lists })))
    .refine((users) => users.length > 0, 'must name a user'),
});
export type SignInDocument = z.output<typeof SignInDocument>;

/** The people of a user. */
const Access = z.object({ userId: UserId, owners: z.array(z.string()), viewers: z.array(z.string()) });
export type Access = z.infer<typeof Access>;

/** How people sign in. The secret of the client is encrypted. */
export const SignInSettings = z.object({
  /** Names issuer and client: sessions end when it changes. */
  client: OAuthClientId,
  name: z.string(),
  issuer: z.string(),
  scope: z.string(),
  groupsClaim: z.string(),
  parameters: z.record(z.string(), z.string()),
  clientId: z.string(),
  secret: SealedFields.optional(),
  access: z.array(Access),
  /** Epoch ms. */
  changedAt: z.number(),
});
export type SignInSettings = z.infer<typeof SignInSettings>;
