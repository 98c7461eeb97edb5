import * as z from 'zod';

/**
 * Deviations of providers from OAuth 2. An entry names them; the protocol's code knows these names and no provider's.
 * docs/providers.md explains each.
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
