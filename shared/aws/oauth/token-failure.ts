import { ResponseBodyError } from 'oauth4webapi';
import { retryAfterMs } from '../../domain/delivery/retry-schedule.ts';
import { providersWords } from '../../domain/oauth/providers-words.ts';
import type { ResolvedClient } from '../../domain/oauth/resolved-client.ts';
import type { TokenOutcome } from '../../domain/oauth/tokens.ts';
import type { ClientFetch } from './client-fetch.ts';
import { NoResponseError } from './provider-fetch.ts';

type TokenFailure = Exclude<TokenOutcome, { kind: 'tokens' }>;

export interface FailureContext {
  client: ResolvedClient;
  clientFetch: ClientFetch;
  /** Never repeated in a reason, also when the provider repeats them. */
  secrets: readonly string[];
  now: number;
}

/** Errors of the client itself: only the operator can mend them. */
const CLIENT_ERRORS = new Set(['invalid_client', 'unauthorized_client']);

/** Only `invalid_grant` is for good. */
export function failureOf(error: unknown, context: FailureContext): TokenFailure {
  if (error instanceof ResponseBodyError && error.error === 'invalid_grant')
    return { kind: 'void', reason: `The provider no longer accepts this sign-in${said(error, context)}.` };
  const { clientFetch, now } = context;
  return {
    kind: 'passing',
    reason: reasonOf(error, context),
    retryAfterMs: retryAfterMs(clientFetch.retryAfter, now),
  };
}

function reasonOf(error: unknown, context: FailureContext): string {
  const { client, clientFetch } = context;
  const address = `The ${clientFetch.kind} address of the provider`;
  if (error instanceof NoResponseError) return `${address} gave no response: ${error.message}.`;
  if (error instanceof ResponseBodyError) {
    const isOfClient = CLIENT_ERRORS.has(error.error);
    return isOfClient
      ? `The provider refuses the OAuth client${said(error, context)}: the operator registers it again with \`admin oauth-clients add --app ${client.app}\`.`
      : `${address} refused the request${said(error, context)}.`;
  }
  const { status } = clientFetch;
  if (status >= 200 && status < 300) return `${address} answered without a token.`;
  return status === 0 ? `${address} could not be asked.` : `${address} answered with status ${status}.`;
}

/** ` (it says: "invalid_grant: Token has been revoked")` */
function said(
  { error, error_description: description }: ResponseBodyError,
  { client, secrets }: FailureContext,
): string {
  const text = description === undefined ? error : `${error}: ${description}`;
  const known = [...secrets, client.clientSecret ?? ''].filter((secret) => secret !== '');
  return ` (it says: "${providersWords(known.reduce((left, secret) => left.replaceAll(secret, '…'), text))}")`;
}
