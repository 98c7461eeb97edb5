import type { Provider } from './resolved-client.ts';

/** https://www.rfc-editor.org/rfc/rfc6749#section-5.2, and #section-4.1.2.1 */
const STANDARD = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'access_denied',
  'unsupported_response_type',
  'server_error',
  'temporarily_unavailable',
]);

type Entry = Pick<Provider, 'voidErrors' | 'errorCodes' | 'errorPattern'>;

/**
 * The codes of an error in a response: what the standard or the provider's entry names. Every other text of a response
 * may repeat the request, and with it secrets in any encoding, so that no reason shows it.
 */
export function errorCodesIn(
  { error, message, error_description: description }: Readonly<Record<string, unknown>>,
  { voidErrors = [], errorCodes = [], errorPattern }: Entry,
): string[] {
  const known = new Set([...voidErrors, ...errorCodes]);
  const pattern = errorPattern === undefined ? undefined : new RegExp(`^(?:${errorPattern})(?![A-Za-z0-9])`);
  const codes = [error, message, description].flatMap((value, index) => {
    if (typeof value !== 'string') return [];
    if (known.has(value) || (index === 0 && STANDARD.has(value))) return [value];
    return pattern?.exec(value)?.[0] ?? [];
  });
  return [...new Set(codes)];
}
