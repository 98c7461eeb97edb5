import * as z from 'zod';
import { Quirk } from './quirk.ts';

/** A name that components read in `$auth`. */
const AuthName = z.string().regex(/^(?!__proto__$)[A-Za-z0-9_.-]{1,64}$/);

/** RFC 6749, scope-token: visible ASCII without space, quote and backslash. */
const Scope = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/);

/** One DNS label, the pattern of a placeholder that has none of its own. */
const DNS_LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';

const PLACEHOLDER = /\{([a-z]+)\}/g;

/** An https address; `{name}` is a placeholder. */
const Address = z
  .string()
  .refine(
    (address) => z.url({ protocol: /^https$/ }).safeParse(address.replace(PLACEHOLDER, 'x')).success,
    'must be an https address',
  );

const Placeholder = z.strictObject({
  /** The label of the input field, shown to the person who connects an account. */
  title: z.string().min(1),
  /** Regular expression of the whole value; default: `DNS_LABEL`. */
  pattern: z.string().min(1).optional(),
  /** Components read the value under this name. */
  field: AuthName,
});

/**
 * The path of a value in the token response, the identity response, the callback's query, or the account's
 * placeholders. The segments after the first are keys; a number indexes a list.
 */
const ResponsePath = z
  .string()
  .regex(/^(?:token|identity|callback|parameter)(?:\.(?!__proto__(?:\.|$))[A-Za-z0-9_-]+)+$/);

/** A path within the token response. */
const MemberPath = z
  .string()
  .regex(
    /^(?:(?!__proto__(?:\.|$))[A-Za-z0-9_-]{1,64}(?:\.|$)){1,5}(?<!\.)$/,
    'must be a path like body or data.token',
  );

const Parameters = z.record(z.string().regex(/^[A-Za-z_]+$/), z.string());

/** Whether an app may be registered with a redirect address on this machine. */
const Accepted = z.enum(['yes', 'no', 'unknown']);

/**
 * An OAuth 2 provider, as data. A fact that no source confirms is left out. `provider-sources.json` beside the test has
 * the sources.
 */
export const ProviderEntry = z
  .strictObject({
    name: z.string().regex(/^[a-z]+$/),
    title: z.string().min(1),
    authorization: Address,
    token: Address,
    /** Address that renews; default: `token`. */
    refresh: Address.optional(),
    /**
     * RFC 7009: a form with the field `token`; the client authenticates as at the token address. Quirks name the
     * exceptions.
     */
    revocation: Address.optional(),
    /** Asked with the access token as bearer. */
    identity: z
      .strictObject({
        address: Address,
        /** Default: GET. */
        method: z.literal('POST').optional(),
        headers: z.record(z.string().regex(/^[a-z-]+$/), z.string()).optional(),
        body: z.string().optional(),
      })
      .optional(),
    placeholders: z.record(z.string().regex(/^[a-z]+$/), Placeholder).optional(),
    /** `iss` of the callback and of id tokens; default: the origin of the authorization address. */
    issuer: z.string().optional(),
    scopeSeparator: z.enum([' ', ',']),
    /** Asked for whatever the app: what renewal and the identity address need. */
    scopes: z.array(Scope),
    /** The scopes granted, where they are not `scope` of the token response, joined by `scopeSeparator`. */
    granted: z.strictObject({ path: ResponsePath, separator: z.enum([' ', ',']) }).optional(),
    pkce: z.enum(['S256', 'none']),
    /**
     * How the client authenticates at the token address: HTTP Basic, form fields, fields of a JSON body, by its id
     * alone.
     */
    tokenAuth: z.enum(['basic', 'post', 'json', 'none']),
    authorizationParameters: Parameters.optional(),
    /** Sent with the code, not with a refresh token. */
    tokenParameters: Parameters.optional(),
    /** The object of the token response that has the members of the standard; default: the response itself. */
    answer: MemberPath.optional(),
    /**
     * Lifetime in seconds of an access token, for responses without `expires_in`; `never`: it does not expire. Absent:
     * the responses say it, or it is unknown.
     */
    lifetime: z.union([z.int().positive(), z.literal('never')]).optional(),
    /**
     * `rotates`: a renewal may bring another refresh token and void the old one. `stays`: one refresh token serves
     * until it is revoked. `none`: the provider has none.
     */
    refreshToken: z.enum(['rotates', 'stays', 'none']).optional(),
    /** Values of `error` or `message` that mean, besides `invalid_grant`, that the refresh token is void. */
    voidErrors: z.array(z.string().min(1)).optional(),
    /** Further values of `error` that reasons show, besides those of the standard. */
    errorCodes: z.array(z.string().regex(/^[a-z0-9_]{1,64}$/)).optional(),
    /**
     * Regular expression of codes that reasons show where `error` or `error_description` begins with one. It bounds
     * every repetition.
     */
    errorPattern: z
      .string()
      .regex(/^[A-Z]+\\d\{\d,\d\}$/)
      .optional(),
    /**
     * Path of `oauth_uid`, which distinguishes the provider's accounts; default: the first of `sub`, `id`, `user_id` of
     * the identity response, else of the token response.
     */
    uid: ResponsePath.optional(),
    /** Further fields that components read, by their names in `$auth`. */
    fields: z.record(AuthName, ResponsePath).optional(),
    /** Fields that components of its apps read, that no response fills, and that they work without. */
    unneededFields: z.array(AuthName).optional(),
    quirks: z.array(Quirk),
    /** Slugs of the apps, each with the smallest sensible scopes for sources: reading, and registering webhooks. */
    apps: z.record(z.string().regex(/^[a-z0-9_]+$/), z.array(Scope)),
    redirect: z.strictObject({
      /** `http://127.0.0.1` */
      loopback: Accepted,
      /** `http://localhost` */
      localhost: Accepted,
    }),
    /** Advice for the operator who registers an app at the provider. */
    note: z.string().min(1).optional(),
  })
  .superRefine((entry, context) => {
    const declared = Object.keys(entry.placeholders ?? {}).sort();
    const used = placeholdersIn(entry);
    if (declared.join() !== used.join())
      context.addIssue(`the addresses have the placeholders [${used.join()}], declared are [${declared.join()}]`);
    const paths = [entry.uid ?? [], entry.granted?.path ?? [], Object.values(entry.fields ?? {})].flat();
    for (const path of paths) {
      const [part, key = ''] = path.split('.');
      if (part === 'identity' && !entry.identity) context.addIssue(`${path}: there is no identity address`);
      if (part === 'parameter' && !used.includes(key)) context.addIssue(`${path}: there is no such placeholder`);
    }
  });
export type ProviderEntry = z.infer<typeof ProviderEntry>;

/** Facts that most providers share. An entry without one of them has it from here. */
export const COMMON_FACTS = {
  scopeSeparator: ' ',
  scopes: [],
  pkce: 'none',
  tokenAuth: 'post',
  quirks: [],
  redirect: { loopback: 'unknown', localhost: 'unknown' },
} satisfies Partial<ProviderEntry>;

/**
 * An entry as it is written down, without its name. By default the title is the name with a capital, and the name is
 * its only app, without scopes.
 */
export type ProviderFacts = Omit<ProviderEntry, 'name' | 'title' | 'apps' | keyof typeof COMMON_FACTS> &
  Partial<Pick<ProviderEntry, 'title' | 'apps' | keyof typeof COMMON_FACTS>>;

/** Whether a value may replace a placeholder. Callers ask before they make an address. */
export const isPlaceholderValue = ({ pattern = DNS_LABEL }: z.infer<typeof Placeholder>, value: string): boolean =>
  new RegExp(`^(?:${pattern})$`).test(value);

/** Names of the placeholders in the addresses of an entry, sorted. */
function placeholdersIn({
  authorization,
  token,
  refresh = '',
  revocation = '',
  identity,
}: Pick<ProviderEntry, 'authorization' | 'token' | 'refresh' | 'revocation' | 'identity'>): string[] {
  const addresses = [authorization, token, refresh, revocation, identity?.address ?? ''];
  const names = addresses.flatMap((address) => [...address.matchAll(PLACEHOLDER)].map(([, name = '']) => name));
  return [...new Set(names)].sort();
}
