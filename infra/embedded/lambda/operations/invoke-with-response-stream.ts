import type { Input, Output } from '../../call.ts';
import type { LambdaContext } from '../context.ts';
import { checkInvocationType, hostIn, tenantIn } from '../invoke-input.ts';
import type { FunctionError } from '../outcome.ts';
import { eventOf } from '../payload.ts';
import { PieceStream } from '../piece-stream.ts';

/** Answers at once. The stream carries the function's output and its end. */
export async function invokeWithResponseStream(input: Input, context: LambdaContext): Promise<Output> {
  const host = hostIn(input, context);
  checkInvocationType(input);
  const event = eventOf(input);
  const stream = new PieceStream();
  const piece = (Payload: Buffer) => {
    stream.push({ PayloadChunk: { Payload } });
    return undefined;
  };
  // `invoke` throws here if the call does not reach the function: then there is no stream.
  const running = host.invoke({ event, tenantId: tenantIn(input), piece });
  void running.then((outcome) => {
    stream.push({ InvokeComplete: outcome.ok ? {} : failureOf(outcome.error) });
  });
  return Promise.resolve({
    StatusCode: 200,
    ExecutedVersion: '$LATEST',
    ResponseStreamContentType: 'application/octet-stream',
    EventStream: stream,
  });
}

const failureOf = (error: FunctionError) => ({
  ErrorCode: error.errorType,
  ErrorDetails: JSON.stringify(error),
});
