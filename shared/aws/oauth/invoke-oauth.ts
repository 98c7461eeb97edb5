import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import type * as z from 'zod';
import type { OAuthRequest } from '../../domain/oauth/oauth-request.ts';

/** Errors of an invocation that took too long, or was not begun; a later one may succeed. */
const TRANSIENT = new Set([
  'AbortError',
  'TimeoutError',
  'TooManyRequestsException',
  'ServiceException',
  'EC2ThrottledException',
]);

export const mayPass = (error: unknown): error is Error => error instanceof Error && TRANSIENT.has(error.name);

/**
 * Invokes the function `oauth`, and waits for its result. Rejects with an error that is transient, or with one of the
 * function.
 */
export const createOAuthInvoker =
  (lambda: () => LambdaClient, functionName: string) =>
  async <Result extends z.ZodType>(
    request: OAuthRequest,
    result: Result,
    waitMs: number,
  ): Promise<z.output<Result>> => {
    const response = await lambda().send(
      new InvokeCommand({
        FunctionName: functionName,
        InvocationType: 'RequestResponse',
        Payload: Buffer.from(JSON.stringify(request)),
      }),
      { abortSignal: AbortSignal.timeout(waitMs) },
    );
    // The function's own log says why: a request has a code, and an error may quote it.
    if (response.FunctionError) throw new Error(`The function for OAuth failed at ${request.kind}`);
    return result.parse(JSON.parse(Buffer.from(response.Payload ?? []).toString('utf8')));
  };
