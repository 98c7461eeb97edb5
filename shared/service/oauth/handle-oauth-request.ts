import {
  type ClientCheck,
  type ConfirmResult,
  type DoneResult,
  type ExchangeResult,
  OAuthRequest,
  type IdleResult,
  type RenewalResult,
  type RevocationResult,
} from '../../domain/oauth/oauth-request.ts';
import type { LogFields, WriteLine } from '../../domain/run/log-fields.ts';
import { checkClient } from './check-client.ts';
import { dropAuthorization } from './drop-authorization.ts';
import { exchangeCode } from './exchange-code.ts';
import type { ReadClientContext } from './client-reader.ts';
import { renewAccount, type RenewAccountContext } from './renew-account.ts';
import { type IdleContext, renewIdleAccounts } from './renew-idle-accounts.ts';
import { revokeAccount } from './revoke-account.ts';
import type { SignInContext } from './sign-in-context.ts';
import { storeSignIn } from './store-sign-in.ts';

interface OAuthContext extends RenewAccountContext, Omit<SignInContext, 'accounts'> {
  clients: IdleContext['clients'] & ReadClientContext['clients'];
  accounts: RenewAccountContext['accounts'] & SignInContext['accounts'];
  publicApiUrl: string;
  writeLine: WriteLine;
}

type Result = IdleResult | RenewalResult | ExchangeResult | ConfirmResult | RevocationResult | ClientCheck | DoneResult;

/** Parses a request to the function that renews, and executes it. */
export const createOAuthHandler =
  (context: OAuthContext) =>
  async (event: unknown): Promise<Result> => {
    const request = OAuthRequest.parse(event);
    const result = await executeRequest(context, request);
    const subject = subjectOf(request);
    context.writeLine(LINES[request.kind], () => ({ ...subject, state: result.state }));
    return result;
  };

function subjectOf(request: OAuthRequest): LogFields {
  if ('accountId' in request) return { account: request.accountId };
  if ('clientId' in request) return { client: request.clientId };
  return 'attemptId' in request ? { attempt: request.attemptId } : { client: request.after?.client };
}

const LINES = {
  renew: 'account.renewal',
  exchange: 'account.exchange',
  confirm: 'account.confirmation',
  drop: 'account.drop',
  revoke: 'account.revocation',
  'renew-idle': 'account.idle_renewal',
  'check-client': 'client.check',
} as const satisfies Record<OAuthRequest['kind'], string>;

function executeRequest(context: OAuthContext, request: OAuthRequest): Promise<Result> {
  switch (request.kind) {
    case 'renew':
      return renewAccount(context, request);
    case 'exchange':
      return exchangeCode(context, request);
    case 'confirm':
      return storeSignIn(context, request);
    case 'drop':
      return dropAuthorization(context, request);
    case 'renew-idle':
      return renewIdleAccounts(context, request);
    case 'check-client':
      return checkClient(context, request);
    case 'revoke':
      return revokeAccount(context, request);
  }
}
