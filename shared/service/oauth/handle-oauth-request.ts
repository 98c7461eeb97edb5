import { OAuthRequest, type RenewalResult } from '../../domain/oauth/oauth-request.ts';
import type { WriteLine } from '../../domain/run/log-fields.ts';
import { renewAccount, type RenewAccountContext } from './renew-account.ts';

interface OAuthContext extends RenewAccountContext {
  writeLine: WriteLine;
}

/** Parses a request to the function that renews, and carries it out. */
export const createOAuthHandler =
  (context: OAuthContext) =>
  async (event: unknown): Promise<RenewalResult> => {
    const request = OAuthRequest.parse(event);
    const result = await renewAccount(context, request);
    context.writeLine('account.renewal', () => ({ account: request.accountId, state: result.state }));
    return result;
  };
