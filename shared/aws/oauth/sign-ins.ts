import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import type * as z from 'zod';
import { ServiceError } from '../../domain/errors.ts';
import {
  ClientCheck,
  ConfirmResult,
  DoneResult,
  ExchangeResult,
  IdleResult,
  type OAuthRequest,
  type RequestOf,
  RevocationResult,
} from '../../domain/oauth/oauth-request.ts';

/** Errors of an invocation that took too long, or was not begun. */
const TRANSIENT = new Set([
  'AbortError',
  'TimeoutError',
  'TooManyRequestsException',
  'ServiceException',
  'EC2ThrottledException',
]);

const tooSlow = (cause: Error) =>
  new ServiceError('unavailable', 'unavailable', 'The provider did not answer in time. Start again.', {
    retryAfterSeconds: 5,
    cause,
  });

export type SignIns = ReturnType<typeof createSignIns>;

/** Longer than a token request and an identity request together; shorter than a request to the API. */
const WAIT_MS = 26_000;
/** Longer than the limit of a revocation and the start of the function. */
const REVOCATION_WAIT_MS = 10_000;

/** Asks the function that opens the secrets of clients. It names no secret in its results. */
export function createSignIns(lambda: () => LambdaClient, functionName: string) {
  async function invoke<Result extends z.ZodType>(
    request: OAuthRequest,
    result: Result,
    waitMs = WAIT_MS,
  ): Promise<z.output<Result>> {
    const command = new InvokeCommand({
      FunctionName: functionName,
      InvocationType: 'RequestResponse',
      Payload: Buffer.from(JSON.stringify(request)),
    });
    const options = { abortSignal: AbortSignal.timeout(waitMs) };
    const response = await lambda()
      .send(command, options)
      .catch((error: unknown) => {
        throw error instanceof Error && TRANSIENT.has(error.name) ? tooSlow(error) : error;
      });
    // The function's own log says why: a request has a code, and an error may quote it.
    if (response.FunctionError) throw new Error(`The function for OAuth failed at ${request.kind}`);
    return result.parse(JSON.parse(Buffer.from(response.Payload ?? []).toString('utf8')));
  }

  return {
    exchange: (request: Omit<RequestOf<'exchange'>, 'kind'>) =>
      invoke({ kind: 'exchange', ...request }, ExchangeResult),
    confirm: (request: Omit<RequestOf<'confirm'>, 'kind'>) =>
      invoke({ kind: 'confirm', ...request }, ConfirmResult),
    drop: ({ attemptId, stateHash }: Omit<RequestOf<'drop'>, 'kind'>) =>
      invoke({ kind: 'drop', attemptId, stateHash }, DoneResult),
    renewIdle: (request: Omit<RequestOf<'renew-idle'>, 'kind'>) =>
      invoke({ kind: 'renew-idle', ...request }, IdleResult),
    revoke: (request: Omit<RequestOf<'revoke'>, 'kind'>) =>
      invoke({ kind: 'revoke', ...request }, RevocationResult, REVOCATION_WAIT_MS),
    checkClient: (request: Omit<RequestOf<'check-client'>, 'kind'>) =>
      invoke({ kind: 'check-client', ...request }, ClientCheck),
  };
}
