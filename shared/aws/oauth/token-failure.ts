import { ResponseBodyError } from 'oauth4webapi';
import { retryAfterMs } from '../../domain/delivery/retry-schedule.ts';
import type { ResolvedClient } from '../../domain/oauth/resolved-client.ts';
import type { TokenOutcome } from '../../domain/oauth/tokens.ts';
import type { ClientFetch } from './client-fetch.ts';
import { NoResponseError } from './provider-fetch.ts';
import { UnusableTokenError } from './unusable-token.ts';

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
