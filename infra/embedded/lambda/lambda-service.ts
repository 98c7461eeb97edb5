import * as z from 'zod';
import { AwsError, type Demand, type EmbeddedService, type Output } from '../call.ts';
import { functionArn } from '../template/resource-type.ts';
import type { AsyncInvocations } from './async-invocations.ts';
import { chainOfCall } from './chain.ts';
import type { FunctionHost } from './function-host.ts';
import { functionNameOf } from './function-spec.ts';
import type { FunctionError, Outcome } from './outcome.ts';
import { answerBytes, blob, eventOf, MAX_ASYNC_REQUEST_BYTES, MAX_REQUEST_BYTES } from './payload.ts';
import { PieceStream } from './piece-stream.ts';

type Input = Readonly<Record<string, unknown>>;

const InvocationType = z.enum(['RequestResponse', 'Event', 'DryRun']).default('RequestResponse');

/** The operations of the Lambda API that functions call. */
export class LambdaService implements EmbeddedService {
  readonly id = 'Lambda';
  private readonly hosts: ReadonlyMap<string, FunctionHost>;
  private readonly asynchronous: AsyncInvocations;

  constructor(hosts: ReadonlyMap<string, FunctionHost>, asynchronous: AsyncInvocations) {
    this.hosts = hosts;
    this.asynchronous = asynchronous;
  }

  demands(operation: string, input: Input): readonly Demand[] {
    if (operation !== 'Invoke' && operation !== 'InvokeWithResponseStream') throw unknownOperation(operation);
    return [{ action: 'lambda:InvokeFunction', resource: functionArn(nameIn(input)) }];
  }

  call(operation: string, input: Input): Promise<Output> {
    return operation === 'Invoke' ? this.invoke(input) : this.invokeStreaming(input);
  }

  private async invoke(input: Input): Promise<Output> {
    const host = this.hostOf(input);
    const type = InvocationType.parse(input['InvocationType']);
    const tenantId = tenantIn(input);
    const limit = type === 'Event' ? MAX_ASYNC_REQUEST_BYTES : MAX_REQUEST_BYTES;
    const event = eventOf(input['Payload'], { limit, type });
    const chain = chainOfCall(input);
    if (type === 'DryRun') return { StatusCode: 204 };
    if (type === 'Event') {
      const functionName = host.spec.name;
      await this.asynchronous.accept({ functionName, payload: JSON.stringify(event), tenantId, chain });
      return { StatusCode: 202 };
    }
    const outcome = await host.invoke({ event, tenantId, chain });
    const answered = { StatusCode: 200, ExecutedVersion: '$LATEST' };
    const payload = outcome.ok ? answerBytes(outcome.value) : outcome.error;
    if (payload instanceof Uint8Array) return { ...answered, Payload: blob(payload) };
    return { ...answered, FunctionError: 'Unhandled', Payload: blob(Buffer.from(JSON.stringify(payload))) };
  }

  /** Answers at once: what the function writes, and how it ends, is in the stream. */
  private async invokeStreaming(input: Input): Promise<Output> {
    const host = this.hostOf(input);
    if (InvocationType.parse(input['InvocationType']) === 'DryRun') return { StatusCode: 204 };
    const event = eventOf(input['Payload'], { limit: MAX_REQUEST_BYTES, type: 'RequestResponse' });
    const stream = new PieceStream();
    const piece = (Payload: Buffer) => {
      stream.push({ PayloadChunk: { Payload } });
    };
    // A function that is not reached refuses here, before there is a stream.
    const running = host.invoke({ event, tenantId: tenantIn(input), chain: chainOfCall(input), piece });
    void running.then((outcome) => {
      stream.push({ InvokeComplete: completion(outcome) });
    });
    return {
      StatusCode: 200,
      ExecutedVersion: '$LATEST',
      ResponseStreamContentType: 'application/octet-stream',
      EventStream: stream,
    };
  }

  private hostOf(input: Input): FunctionHost {
    const name = nameIn(input);
    const host = this.hosts.get(name);
    if (host) return host;
    throw new AwsError('ResourceNotFoundException', `Function not found: ${functionArn(name)}`, {
      statusCode: 404,
      members: { Type: 'User' },
    });
  }
}

const completion = (outcome: Outcome) => (outcome.ok ? {} : failure(outcome.error));

const failure = (error: FunctionError) => ({
  ErrorCode: error.errorType,
  ErrorDetails: JSON.stringify(error),
});

function nameIn(input: Input): string {
  const name = input['FunctionName'];
  if (typeof name === 'string' && name !== '') return functionNameOf(name);
  throw new AwsError(
    'ValidationException',
    "1 validation error detected: Value at 'functionName' failed to satisfy constraint: Member must not be null",
  );
}

function tenantIn(input: Input): string | undefined {
  const tenant = input['TenantId'];
  if (tenant === undefined) return undefined;
  if (typeof tenant === 'string' && /^[a-zA-Z0-9._:/=+\-@ ]{1,256}$/.test(tenant)) return tenant;
  throw new AwsError(
    'ValidationException',
    "1 validation error detected: Value at 'tenantId' failed to satisfy constraint",
  );
}

const unknownOperation = (operation: string) =>
  new AwsError('UnknownOperationException', `Lambda has no operation ${operation} here.`, {
    statusCode: 404,
  });
