import * as z from 'zod';

/**
 * Deviations of providers from OAuth 2. An entry names them; the protocol's code knows these names and no provider's.
 */
export const Quirk = z.enum([
  'bearer-revocation',
  'error-in-list',
  'error-with-status-200',
  'expires-at',
  'expiry-in-jwt',
  'form-encoded-answer',
  'json-body',
  'json-revocation',
  'nested-token',
  'no-token-type',
  'ok-false',
  'scope-list',
  'user-scope',
]);
export type Quirk = z.infer<typeof Quirk>;

/** One sentence for each quirk. */
export const QUIRK_MEANINGS: Readonly<Record<Quirk, string>> = {
  'bearer-revocation':
    'The revocation address takes a POST without a body, with the access token in the Authorization header.',
  'error-in-list': 'The code of an error is `errors[0].errorType` of the response, not `error`.',
  'error-with-status-200': 'An error comes with status 200 and `error` in the body.',
  'expires-at': 'The response has `expires_at`, an ISO time, instead of `expires_in`.',
  'expiry-in-jwt': 'The response has no `expires_in`; the access token is a JWT whose `exp` says when it ends.',
  'form-encoded-answer':
    'The response may be form-encoded (application/x-www-form-urlencoded) although JSON was asked for.',
  'json-body': 'The token address takes a JSON body, also where the client authenticates by HTTP Basic.',
  'json-revocation': 'The revocation address takes a JSON body.',
  'nested-token':
    'Access token, refresh token, lifetime and scopes stand in `authed_user` of the response; when that has no `access_token`, at the top.',
  'no-token-type': 'The response lacks `token_type`, or it is null or another word; the token is a bearer token.',
  'ok-false': 'Success is `ok: true`; an error comes with status 200, `ok: false` and `error`.',
  'scope-list': 'The response has `scope` as a list of strings.',
  'user-scope': 'Scopes are asked for by the parameter `user_scope` instead of `scope`.',
};
