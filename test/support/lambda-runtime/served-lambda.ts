import * as z from 'zod';
import type { Call, Output } from '../../../infra/embedded/call.ts';
import type { Cloud } from '../../../infra/embedded/cloud.ts';
import { PieceStream } from '../../../infra/embedded/lambda/piece-stream.ts';
import type { ExecutionEnvironment } from './execution-environment.ts';

const StreamedCall = z.object({ TenantId: z.string(), Payload: z.instanceof(Uint8Array) });

/** The cloud, but the only function that it invokes is one of this environment, whose response is streamed. */
export function withStreamedFunction(cloud: Cloud, environment: ExecutionEnvironment): Cloud {
  return {
    ...cloud,
    call: (call) => (call.service === 'Lambda' ? invokeStreamed(environment, call) : cloud.call(call)),
  };
}

async function invokeStreamed(environment: ExecutionEnvironment, { operation, input }: Call): Promise<Output> {
  if (operation !== 'InvokeWithResponseStream') throw new Error(`The operation ${operation} is not served.`);
  const { TenantId: tenantId, Payload } = StreamedCall.parse(input);
  const stream = new PieceStream();
  const onPiece = (text: string) => stream.push({ PayloadChunk: { Payload: Buffer.from(text) } });
  void environment.invoke(JSON.parse(Buffer.from(Payload).toString()), { tenantId, onPiece }).then(
    () => stream.push({ InvokeComplete: {} }),
    (error: unknown) => stream.push({ InvokeComplete: { ErrorCode: 'Unhandled', ErrorDetails: String(error) } }),
  );
  return { StatusCode: 200, EventStream: stream };
}
