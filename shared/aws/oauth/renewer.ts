import type { LambdaClient } from '@aws-sdk/client-lambda';
import type { AccountId } from '../../domain/id.ts';
import { RenewalResult } from '../../domain/oauth/oauth-request.ts';
import { createOAuthInvoker, mayPass } from './invoke-oauth.ts';

export type Renewer = ReturnType<typeof createRenewer>;

/** Longer than the limits of a token request and of an identity request together. */
const WAIT_MS = 35_000;

const BUSY: RenewalResult = { state: 'busy' };

export function createRenewer(lambda: () => LambdaClient, functionName: string) {
  const invoke = createOAuthInvoker(lambda, functionName);
  const running = new Map<AccountId, Promise<RenewalResult>>();

  return {
    /**
     * Resolves when the renewal has ended. `busy`: another one is in progress, or the function did not begin or end in
     * time. Calls for one account share an invocation, with the `callMs` of the first: the time limit of the call that
     * needs the token.
     */
    renew(accountId: AccountId, callMs: number): Promise<RenewalResult> {
      const shared = running.get(accountId);
      if (shared) return shared;
      const renewal = invoke({ kind: 'renew', accountId, callMs }, RenewalResult, WAIT_MS)
        .catch((error: unknown) => {
          if (mayPass(error)) return BUSY;
          throw error;
        })
        .finally(() => running.delete(accountId));
      running.set(accountId, renewal);
      return renewal;
    },
  };
}
