import { CLIENT, type ClientConnection } from '../../../shared/lib/reading/client-connection.ts';
import type { FunctionSpec } from './function-spec.ts';
import type { ResponseStream, TakePiece } from './response-stream.ts';

/** The only stream of each log group. */
export const LOG_STREAM = 'embedded';

/** A request to invoke a function. */
export interface Invocation {
  /** A value that JSON can hold. The function may change it. */
  readonly event: unknown;
  readonly tenantId?: string | undefined;
  /** The client of an HTTP request. */
  readonly client?: ClientConnection | undefined;
  /** Receives each piece of a streaming function at once. Without it, the outcome's value joins all pieces. */
  readonly piece?: TakePiece | undefined;
  /**
   * Receives the response of a streaming function before its handler runs. Destroying it tells the handler that its
   * reader is gone.
   */
  readonly onOpen?: ((response: ResponseStream) => void) | undefined;
}

/** The second argument of a handler. */
export class InvocationContext {
  readonly functionVersion = '$LATEST';
  readonly functionName: string;
  readonly invokedFunctionArn: string;
  readonly memoryLimitInMB: string;
  readonly logGroupName: string;
  readonly logStreamName = LOG_STREAM;
  readonly awsRequestId: string;
  readonly tenantId: string | undefined;
  readonly [CLIENT]: ClientConnection | undefined;
  callbackWaitsForEmptyEventLoop = true;
  readonly #deadline: number;

  constructor(spec: FunctionSpec, awsRequestId: string, { tenantId, client }: Pick<Invocation, 'tenantId' | 'client'>) {
    this.functionName = spec.name;
    this.invokedFunctionArn = spec.arn;
    this.memoryLimitInMB = String(spec.memoryMb);
    this.logGroupName = spec.logGroup;
    this.awsRequestId = awsRequestId;
    this.tenantId = tenantId;
    this[CLIENT] = client;
    this.#deadline = performance.now() + spec.timeoutMs;
  }

  getRemainingTimeInMillis(): number {
    return Math.max(0, Math.round(this.#deadline - performance.now()));
  }
}
