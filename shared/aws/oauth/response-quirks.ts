import * as z from 'zod';
import type { Quirk } from '../../domain/oauth/quirk.ts';

/** A response of the token address, on its way to the form of the standard. */
export interface TokenResponse {
  status: number;
  body: Readonly<Record<string, unknown>>;
  /** Epoch ms. */
  now: number;
}

type ResponseQuirk = (response: TokenResponse) => TokenResponse;

const ERROR_STATUS = 400;

const isSuccess = ({ status }: TokenResponse): boolean => status >= 200 && status < 300;

const errorWithStatus200: ResponseQuirk = (response) =>
  isSuccess(response) && typeof response.body['error'] === 'string' ? { ...response, status: ERROR_STATUS } : response;

const okFalse: ResponseQuirk = (response) =>
  isSuccess(response) && response.body['ok'] !== true ? { ...response, status: ERROR_STATUS } : response;

const ErrorList = z.object({ errors: z.tuple([z.object({ errorType: z.string() })], z.unknown()) });

const errorInList: ResponseQuirk = (response) => {
  const { data } = ErrorList.safeParse(response.body);
  return data ? withMembers(response, { error: data.errors[0].errorType }) : response;
};

const ExpiresAt = z.object({ expires_at: z.iso.datetime({ offset: true }) });

const expiresAt: ResponseQuirk = (response) => {
  const { data } = ExpiresAt.safeParse(response.body);
  return data ? withMembers(response, { expires_in: secondsUntil(Date.parse(data.expires_at), response) }) : response;
};

const Claims = z.object({ exp: z.number() });

const expiryInJwt: ResponseQuirk = (response) => {
  const exp = expiryOf(response.body['access_token']);
  return exp === undefined ? response : withMembers(response, { expires_in: secondsUntil(exp * 1_000, response) });
};

/**
 * The signature does not matter: the token came from its issuer over TLS, and only the time of its renewal depends on
 * it.
 */
function expiryOf(token: unknown): number | undefined {
  const [, payload = ''] = typeof token === 'string' ? token.split('.') : [];
  try {
    return Claims.parse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))).exp;
  } catch {
    return undefined;
  }
}

const NestedToken = z.object({ authed_user: z.looseObject({ access_token: z.string() }) });

const nestedToken: ResponseQuirk = (response) => {
  const { data } = NestedToken.safeParse(response.body);
  if (!data) return response;
  const { access_token, refresh_token, expires_in, scope } = data.authed_user;
  return withMembers(response, { access_token, refresh_token, expires_in, scope });
};

const noTokenType: ResponseQuirk = (response) => withMembers(response, { token_type: 'bearer' });

const scopeList: ResponseQuirk = (response) => {
  const { scope } = response.body;
  return Array.isArray(scope) ? withMembers(response, { scope: scope.map(String).join(' ') }) : response;
};

const withMembers = (response: TokenResponse, members: Record<string, unknown>): TokenResponse => ({
  ...response,
  body: { ...response.body, ...members },
});

const secondsUntil = (at: number, { now }: TokenResponse): number =>
  // A token that has expired already has a lifetime, too.
  Math.max(1, Math.round((at - now) / 1_000));

/** The quirks of responses, in the order in which they apply. The others change requests. */
const RESPONSE_QUIRKS: readonly (readonly [Quirk, ResponseQuirk])[] = [
  ['error-in-list', errorInList],
  ['error-with-status-200', errorWithStatus200],
  ['ok-false', okFalse],
  ['nested-token', nestedToken],
  ['no-token-type', noTokenType],
  ['scope-list', scopeList],
  ['expires-at', expiresAt],
  ['expiry-in-jwt', expiryInJwt],
];

/** The response in the form of the standard. */
export const withoutQuirks = (response: TokenResponse, quirks: readonly Quirk[]): TokenResponse =>
  RESPONSE_QUIRKS.filter(([quirk]) => quirks.includes(quirk)).reduce(
    (changed, [, change]) => change(changed),
    response,
  );
