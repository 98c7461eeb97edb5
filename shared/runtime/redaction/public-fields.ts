/** Shorter values are counts, versions and flags, which ordinary data has too. */
const SHORTEST_SECRET = 4;

/** Parts of words that make a field a credential, wherever they stand: `accesstoken`, `webhooks`. */
const CREDENTIAL_PART =
  /token|secret|password|passwd|passphrase|passcode|signature|private|credential|session|cookie|webhook|bearer|apikey/;
/** Words that make a field a credential, also in the plural. */
const CREDENTIAL =
  /^(?:\w*(?:keys?|auth|pass)|jwts?|pins?|pwds?|otps?|totp|mfa|pats?|certs?|certificates?|pems?|dsns?|hooks?|sas)$/;
/** Words that say how a credential is used. */
const USAGE = /(?:^| )(?:type|scopes?|expires(?: at| in| on)?|expiry)$/;
/** Words that identify or locate the account; a word may be made of several, like `username`. */
const IDENTITY = new RegExp(
  `^(?:(?:${[
    ...['id', 'sid', 'uid', 'gid', 'uuid', 'guid', 'name', 'slug', 'handle', 'login', 'nick', 'user', 'email'],
    ...['mail', 'phone', 'owner', 'member', 'customer', 'merchant', 'company', 'account', 'tenant', 'team'],
    ...['workspace', 'organi[sz]ation', 'org', 'domain', 'sub', 'host', 'server', 'port', 'protocol', 'url'],
    ...['uri', 'endpoint', 'base', 'region', 'zone', 'cent(?:er|re)', 'datacent(?:er|re)', 'dc', 'cluster'],
    ...['cloud', 'environment', 'env', 'mode', 'project', 'realm', 'location', 'country', 'locale', 'language'],
    ...['timezone', 'store', 'shop', 'site', 'instance', 'database', 'db', 'schema', 'warehouse', 'bucket'],
    ...['platform', 'pod', 'version'],
  ].join('|')})s?)+$`,
);

/** The last label distinguishes a host from a token with dots. */
const HOST = /^([a-z0-9_-]{1,63}\.)+([a-z]{2,18}|xn--[a-z0-9-]+)\.?(:\d+)?$|^(\d{1,3}\.){3}\d{1,3}(:\d+)?$/i;
const EMAIL = /^[^\s@:/]+@[^\s@:/]+\.[a-z0-9-]+$/i;
/** A URL without user, password, query and fragment; the group is its path. */
const PLAIN_URL = /^[a-z][a-z+.-]*:\/\/[^\s/?#@]+((?:\/[^\s?#/]*)*)$/i;
/** A path segment like those of secret webhook addresses. */
const RANDOM_SEGMENT = /^(?=.*\d)(?=.*[a-z])[\w-]{16,}$/i;
/** A URL with a user or password, a key in PEM, a JSON document, a JWT. */
const HOLDS_SECRET = /^[a-z][\w+.-]*:\/\/[^\s/?#]*@|-----BEGIN|^\s*\{\s*"|^eyJ[\w-]+\.[\w-]+\./i;

/**
 * Whether the value of an account's field is public, so that logs, events and errors may show it: the field's name
 * identifies or locates the account, or says how a credential is used. A field with another name is a credential,
 * unless its value is an address or shorter than four characters. A field is a credential if its name has a word of
 * one, or if its value holds a secret.
 */
export function isPublicField(field: string, value: string): boolean {
  if (HOLDS_SECRET.test(value)) return false;
  const words = wordsOf(field);
  if (USAGE.test(words.join(' '))) return true;
  if (CREDENTIAL_PART.test(words.join('')) || words.some((word) => CREDENTIAL.test(word))) return false;
  return words.some((word) => IDENTITY.test(word)) || isAddress(value) || value.length < SHORTEST_SECRET;
}

/**
 * `AuthToken`, `auth_token` and `auth-token` are `auth`, `token`; a `your` in front is not part of the name, nor are
 * digits at the end.
 */
const wordsOf = (field: string): string[] =>
  field
    .replace(/^your/i, '')
    .replace(/oauth2?|auth0/gi, ' ')
    .replace(/([a-z\d])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3 $2$4')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .map((word) => word.replace(/\d+$/, ''))
    .filter((word) => word !== '');

function isAddress(value: string): boolean {
  if (HOST.test(value) || EMAIL.test(value)) return true;
  const path = PLAIN_URL.exec(value)?.[1];
  return path !== undefined && !path.split('/').some((segment) => RANDOM_SEGMENT.test(segment));
}
