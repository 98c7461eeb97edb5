import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import type { AccountId } from '../domain/id.ts';
import { type OAuthRequest, RenewalResult } from '../domain/oauth/oauth-request.ts';

export interface Renewer {
  /** Resolves when the renewal has ended, or when another one is in progress. `callMs`: the time limit of the call that needs the token. */
  renew(accountId: AccountId, callMs: number): Promise<RenewalResult>;
}

/** Longer than the limits of a token request and of an identity request together. */
const WAIT_MS = 35_000;

const BUSY: RenewalResult = { state: 'busy' };
/** Errors before the function was started; a later attempt may succeed. */
const TRANSIENT = new Set([
  'TooManyRequestsException',
  'ServiceException',
  'EC2ThrottledException',
  'TimeoutError',
  'AbortError',
]);

/** Asks the function that renews. Requests for one account share an invocation. */
export function createRenewer(lambda: () => LambdaClient, functionName: string): Renewer {
  const running = new Map<AccountId, Promise<RenewalResult>>();

  async function invoke(request: OAuthRequest): Promise<RenewalResult> {
    let response;
    try {
      response = await lambda().send(
        new InvokeCommand({
          FunctionName: functionName,
          InvocationType: 'RequestResponse',
          Payload: Buffer.from(JSON.stringify(request)),
        }),
        { abortSignal: AbortSignal.timeout(WAIT_MS) },
      );
    } catch (error) {
      if (error instanceof Error && TRANSIENT.has(error.name)) return BUSY;
      throw error;
    }
    // The function's own log says why: an error of a token answer is not quoted here.
    if (response.FunctionError) throw new Error('The function that renews accounts failed');
    return RenewalResult.parse(JSON.parse(Buffer.from(response.Payload ?? []).toString('utf8')));
  }

  return {
    renew(accountId, callMs) {
      const shared = running.get(accountId);
      if (shared) return shared;
      const renewal = invoke({ kind: 'renew', accountId, callMs }).finally(() => running.delete(accountId));
      running.set(accountId, renewal);
      return renewal;
    },
  };
}
