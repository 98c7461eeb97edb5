import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { type BuildRequest, BuildResult } from '../domain/build-result.ts';
import { ServiceError } from '../domain/errors.ts';

export interface Builder {
  /** `still_building` when it takes longer than the caller can wait: the build goes on and leaves its result in the bucket. */
  build(request: BuildRequest): Promise<BuildResult>;
}

/** Fetching and building get this long of an answer's 28 s (decisions, "HTTP"). */
const PATIENCE_MS = 15_000;

export const stillBuilding = (cause?: unknown) =>
  new ServiceError(
    'unavailable',
    'still_building',
    'The component is still being built; the same request will succeed shortly',
    { retryAfterSeconds: 5, cause },
  );

const busy = new Set(['TooManyRequestsException', 'ServiceException', 'EC2ThrottledException']);

export function createBuilder(lambda: LambdaClient, functionName: string, patienceMs = PATIENCE_MS): Builder {
  return {
    async build(request) {
      let answer;
      try {
        answer = await lambda.send(
          new InvokeCommand({
            FunctionName: functionName,
            InvocationType: 'RequestResponse',
            TenantId: request.ownerId,
            Payload: Buffer.from(JSON.stringify(request)),
          }),
          { abortSignal: AbortSignal.timeout(patienceMs) },
        );
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        if (error.name === 'AbortError' || error.name === 'TimeoutError') throw stillBuilding(error);
        if (busy.has(error.name)) {
          throw new ServiceError('unavailable', 'unavailable', 'No builder is free at the moment', {
            retryAfterSeconds: 5,
            cause: error,
          });
        }
        throw error;
      }
      const text = Buffer.from(answer.Payload ?? []).toString('utf8');
      if (answer.FunctionError) throw new Error(`The builder failed: ${text.slice(0, 500)}`);
      return BuildResult.parse(JSON.parse(text));
    },
  };
}
