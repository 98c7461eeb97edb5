import { type TokenEndpointResponse, ResponseBodyError } from 'oauth4webapi';
import type { Provider, ResolvedClient } from '../../domain/oauth/resolved-client.ts';
import type { Tokens, TokenOutcome } from '../../domain/oauth/tokens.ts';
import { loginIn, textAt, textsAt } from '../../domain/oauth/value-at.ts';
import { UnusableTokenError } from './unusable-token.ts';
import { retryAfterMs } from '../../domain/delivery/retry-schedule.ts';
import type { ClientFetch } from './client-fetch.ts';
import { NoResponseError } from './provider-fetch.ts';

/**
 * The tokens of a response. `body` is what the provider sent, `standard` its object with the standard's members. Throws
 * `UnusableTokenError` for a control character in what it takes.
 */
export function tokensOf(
  { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds, scope }: TokenEndpointResponse,
  { body, standard }: { body: unknown; standard: unknown },
  provider: Provider,
): Tokens {
  const responses = { token: body };
  const scopes = grantedScopes(scope, body, provider);
  const uid = loginIn(responses, provider.uid, standard);
  const fields = textsAt(responses, provider.fields);
  refuseControls({
    access_token: accessToken,
    refresh_token: refreshToken,
    scope: scopes?.join(' '),
    uid,
    ...fields,
  });
  return { accessToken, refreshToken, expiresInMs: lifetimeMs(seconds, provider), scopes, uid, fields };
}

/** A component puts these into headers and addresses. */
function refuseControls(texts: Readonly<Record<string, string | undefined>>): void {
  const odd = Object.entries(texts).find(([, text = '']) => /\p{Cc}/u.test(text));
  if (odd) throw new UnusableTokenError(`\`${odd[0]}\` has control characters`);
}

function lifetimeMs(seconds: number | undefined, { lifetime }: Provider): number | undefined {
  if (seconds !== undefined) return seconds * 1_000;
  return typeof lifetime === 'number' ? lifetime * 1_000 : undefined;
}

function grantedScopes(
  scope: string | undefined,
  body: unknown,
  { granted, scopeSeparator }: Provider,
): string[] | undefined {
  const text = granted === undefined ? scope : textAt({ token: body }, granted.path);
  return text === undefined ? undefined : scopesIn(text, granted?.separator ?? scopeSeparator);
}

type TokenFailure = Exclude<TokenOutcome, { kind: 'tokens' }>;

export interface FailureContext {
  client: ResolvedClient;
  clientFetch: ClientFetch;
  now: number;
}

/** Errors of the client itself: only the operator can mend them. */
const CLIENT_ERRORS = new Set(['invalid_client', 'unauthorized_client']);

/** Only `invalid_grant` is for good. A reason has the status and known codes of a response, and no other part of it. */
export function failureOf(error: unknown, context: FailureContext): TokenFailure {
  const { clientFetch, now } = context;
  if (error instanceof ResponseBodyError && error.error === 'invalid_grant')
    return { kind: 'void', reason: `The provider no longer accepts this sign-in ${toldBy(clientFetch)}.` };
  return {
    kind: 'passing',
    reason: reasonOf(error, context),
    retryAfterMs: retryAfterMs(clientFetch.retryAfter, now),
  };
}

function reasonOf(error: unknown, { client, clientFetch }: FailureContext): string {
  const address = `The ${clientFetch.kind} address of the provider`;
  if (error instanceof NoResponseError) return `${address} gave no response: ${error.message}.`;
  if (error instanceof UnusableTokenError)
    return `${address} answered with a token that cannot be taken: ${error.message}.`;
  if (error instanceof ResponseBodyError) {
    return CLIENT_ERRORS.has(error.error)
      ? `The provider refuses the OAuth client ${toldBy(clientFetch)}: the operator registers it again with \`admin oauth-clients add --app ${client.app}\`.`
      : `${address} refused the request ${toldBy(clientFetch)}.`;
  }
  const { status } = clientFetch;
  if (status === 0) return `${address} could not be asked.`;
  return status >= 200 && status < 300
    ? `${address} answered without a token ${toldBy(clientFetch)}.`
    : `${address} refused the request ${toldBy(clientFetch)}.`;
}

/** `(status 400, invalid_grant)` */
const toldBy = ({ status, errorCodes }: ClientFetch): string => `(${[`status ${status}`, ...errorCodes].join(', ')})`;

const scopesIn = (text: string, separator: ' ' | ','): string[] => {
  const scopes = text.split(separator === ' ' ? /\s+/ : ',').map((scope) => scope.trim());
  return [...new Set(scopes)].filter((scope) => scope !== '');
};
