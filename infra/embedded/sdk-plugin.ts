import { randomUUID } from 'node:crypto';
import type { Handler, HandlerExecutionContext, Pluggable } from '@smithy/types';
import { AwsError, type Call, type Dispatch, type Output, type ServiceId } from './call.ts';

/** The property of `process` with the plugin for the SDK clients of a function. */
export const PLUGIN = Symbol.for('tributary.aws.plugin');

/** The property of the execution context with the client's knowledge of a call, from `@smithy/types`. */
const SMITHY_CONTEXT = '__smithy_context';

interface SdkPluginOptions {
  dispatch: Dispatch;
  role: string;
}

/**
 * Passes the calls of SDK clients directly to the embedded services: plain values of lib-dynamodb's commands, no
 * signing, no serialisation, no retries, no sockets.
 *
 * An SDK client joins its middleware with that of each command (`concat`) and builds a chain from both. With this
 * plugin the chain is a single handler. A middleware at the front of the chain would not suffice: the SDK would still
 * build the chain, which costs 35 µs a call for lib-dynamodb's commands (they cannot be cached) instead of 1 µs.
 * Presigning clones the client's middleware and so uses the SDK's own code up to the signature.
 */
export function sdkPlugin<Input extends object, HttpResponse extends object>({
  dispatch,
  role,
}: SdkPluginOptions): Pluggable<Input, HttpResponse> {
  function handlerOf(context: HandlerExecutionContext): Handler<object, Output> {
    const service = serviceOf(context.clientName ?? '');
    const operation = (context.commandName ?? '').replace(/Command$/, '');
    const { abortSignal } = (context[SMITHY_CONTEXT] ?? {}) as { abortSignal?: AbortSignal };
    return async ({ input }) => {
      const call: Call = { role, service, operation, input: input as Call['input'] };
      try {
        const response = dispatch(call);
        const output = await (abortSignal ? unlessAborted(response, abortSignal) : response);
        return { output: withMetadata(output), response: undefined };
      } catch (error) {
        throw error instanceof AwsError ? asSdkError(error) : error;
      }
    };
  }
  return {
    applyToStack(stack) {
      const joined = {
        ...stack,
        concat: () => joined,
        resolve: (_request: unknown, context: HandlerExecutionContext) => handlerOf(context),
      };
      Object.assign(stack, { concat: () => joined });
    },
  };
}

const serviceIds: Readonly<Record<string, ServiceId>> = {
  DynamoDBClient: 'DynamoDB',
  SQSClient: 'SQS',
  S3Client: 'S3',
  SchedulerClient: 'Scheduler',
  LambdaClient: 'Lambda',
  KMSClient: 'KMS',
  EventBridgeClient: 'EventBridge',
};

function serviceOf(clientName: string): ServiceId {
  const service = serviceIds[clientName];
  if (!service) throw new Error(`The service of ${clientName} is not embedded.`);
  return service;
}

/** Request ids only appear in logs. A counter after a random prefix is unique enough and cheap. */
const requestIdBase = randomUUID().slice(0, 24);
let requests = 0;
const nextRequestId = () => requestIdBase + (requests++ % 0x1_0000_0000_0000).toString(16).padStart(12, '0');

function withMetadata(output: Output): Output {
  output['$metadata'] = { httpStatusCode: 200, requestId: nextRequestId(), attempts: 1, totalRetryDelay: 0 };
  return output;
}

/** An error as the SDK throws it: callers check its `name`, `$fault`, `$metadata` and members. */
function asSdkError(error: AwsError): Error {
  const { name, message, fault, statusCode, members } = error;
  const thrown = new Error(message, { cause: error });
  return Object.assign(thrown, members, {
    name,
    message,
    $fault: fault,
    $metadata: { httpStatusCode: statusCode, requestId: nextRequestId(), attempts: 1, totalRetryDelay: 0 },
  });
}

/** As in the SDK, an abort ends the wait of the caller with an `AbortError`; the call may still run. */
function unlessAborted<T>(response: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      reject(Object.assign(new Error('Request aborted'), { name: 'AbortError', cause: signal.reason as unknown }));
    };
    if (signal.aborted) {
      response.catch(() => undefined);
      abort();
      return;
    }
    signal.addEventListener('abort', abort, { once: true });
    void response.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', abort);
    });
  });
}
