import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { cut } from '../lib/cut.ts';
import { type BuildRequest, BuildResult } from '../domain/component/build-result.ts';
import { ServiceError } from '../domain/errors.ts';

export type Builder = ReturnType<typeof createBuilder>;

/** Time limit for fetching and building, out of the 28 s of a request. */
const BUILD_WAIT_MS = 15_000;

export const stillBuilding = (cause?: unknown) =>
  new ServiceError('still_building', 'The component is still being built; repeat the request in a few seconds.', {
    retryAfterSeconds: 5,
    cause,
  });

const busy = new Set(['TooManyRequestsException', 'ServiceException', 'EC2ThrottledException']);

export function createBuilder(lambda: () => LambdaClient, functionName: string, waitMs = BUILD_WAIT_MS) {
  return {
    /** Throws `still_building` after 15 s; the build continues and writes its result to the bucket. */
    async build(request: BuildRequest): Promise<BuildResult> {
      let response;
      try {
        response = await lambda().send(
          new InvokeCommand({
            FunctionName: functionName,
            InvocationType: 'RequestResponse',
            TenantId: request.ownerId,
            Payload: Buffer.from(JSON.stringify(request)),
          }),
          { abortSignal: AbortSignal.timeout(waitMs) },
        );
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        if (error.name === 'AbortError' || error.name === 'TimeoutError') throw stillBuilding(error);
        if (busy.has(error.name)) {
          throw new ServiceError(
            'unavailable',
            'Too many components are being built; repeat the request in a few seconds.',
            {
              retryAfterSeconds: 5,
              cause: error,
            },
          );
        }
        throw error;
      }
      const text = Buffer.from(response.Payload ?? []).toString('utf8');
      if (response.FunctionError) throw new Error(`The builder failed: ${cut(text, 500)}`);
      return BuildResult.parse(JSON.parse(text));
    },
  };
}
