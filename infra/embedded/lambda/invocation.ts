import type { Chain } from './chain.ts';
import type { FunctionSpec } from './function-spec.ts';

/** The only stream of each log group. */
export const LOG_STREAM = 'embedded';

/** One invocation to be. */
export interface Invocation {
  /** As JSON would carry it; the function owns it from here on. */
  readonly event: unknown;
  readonly tenantId?: string | undefined;
  /** Told each piece that a streaming function writes, at once. Without it the pieces make up the value. */
  readonly piece?: ((piece: Buffer) => void) | undefined;
  /** Functions that led here; absent when no function did. */
  readonly chain?: Chain | undefined;
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
  callbackWaitsForEmptyEventLoop = true;
  readonly #deadline: number;

  constructor(spec: FunctionSpec, awsRequestId: string, tenantId: string | undefined) {
    this.functionName = spec.name;
    this.invokedFunctionArn = spec.arn;
    this.memoryLimitInMB = String(spec.memoryMb);
    this.logGroupName = spec.logGroup;
    this.awsRequestId = awsRequestId;
    this.tenantId = tenantId;
    this.#deadline = performance.now() + spec.timeoutMs;
  }

  getRemainingTimeInMillis(): number {
    return Math.max(0, Math.round(this.#deadline - performance.now()));
  }
}
