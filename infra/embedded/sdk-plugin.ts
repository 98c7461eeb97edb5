import { randomUUID } from 'node:crypto';
import type { Handler, HandlerExecutionContext, Pluggable } from '@smithy/types';
import { AwsError, type Call, type Dispatch, type Output, type ServiceId } from './call.ts';

/** Where the code of a function finds the plugin for its SDK clients: a property of its `process`. */
export const PLUGIN = Symbol.for('tributary.aws.plugin');

/** As `@smithy/types` names the place of what the client knows about a call. */
const SMITHY_CONTEXT = '__smithy_context';

interface Given {
  dispatch: Dispatch;
  role: string;
  /** Adds what only the caller knows, e.g. the chain of invocations it belongs to. */
  prepare?: ((call: Call) => Call) | undefined;
}

/**
 * Carries the calls of SDK clients straight to the embedded services, in front of everything the SDK would do: native
 * values of lib-dynamodb's commands, no signing, no serialisation, no retries, no sockets.
 *
 * A client joins its middleware with that of each command (`concat`) and then builds the chain; the chain that a client
 * with this plugin builds is one handler. Merely standing first in it would leave the building, which costs 35 µs a call
 * for lib-dynamodb's commands (their handlers cannot be cached) against 1 µs. Presigning clones the client's middleware
 * instead and so goes the SDK's own way up to the signature.
 */
export function sdkPlugin<Input extends object, Answer extends object>({
  dispatch,
  role,
  prepare,
}: Given): Pluggable<Input, Answer> {
  function handlerOf(context: HandlerExecutionContext): Handler<object, Output> {
    const service = serviceOf(context.clientName ?? '');
    const operation = (context.commandName ?? '').replace(/Command$/, '');
    const { abortSignal } = (context[SMITHY_CONTEXT] ?? {}) as { abortSignal?: AbortSignal };
    return async ({ input }) => {
      const call: Call = { role, service, operation, input: input as Call['input'] };
      try {
        const answer = dispatch(prepare ? prepare(call) : call);
        const output = await (abortSignal ? unlessAborted(answer, abortSignal) : answer);
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
};

function serviceOf(clientName: string): ServiceId {
  const service = serviceIds[clientName];
  if (!service) throw new Error(`${clientName} is a client of a service that is not embedded.`);
  return service;
}

/** Request ids are for logs; a counter behind a random start is as unique as it takes and costs nothing. */
const requestIdBase = randomUUID().slice(0, 24);
let requests = 0;
const nextRequestId = () => requestIdBase + (requests++ % 0x1_0000_0000_0000).toString(16).padStart(12, '0');

function withMetadata(output: Output): Output {
  output['$metadata'] = { httpStatusCode: 200, requestId: nextRequestId(), attempts: 1, totalRetryDelay: 0 };
  return output;
}

/** What the SDK throws: told apart by `name`, with `$fault`, `$metadata` and the members of the modelled error. */
export function asSdkError(error: AwsError): Error {
  const { name, message, fault, statusCode, members } = error;
  const thrown = new Error(message, { cause: error });
  return Object.assign(thrown, members, {
    name,
    message,
    $fault: fault,
    $metadata: { httpStatusCode: statusCode, requestId: nextRequestId(), attempts: 1, totalRetryDelay: 0 },
  });
}

/** As the SDK does it: the caller stops waiting and gets an `AbortError`; what was sent may still happen. */
function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      reject(
        Object.assign(new Error('Request aborted'), { name: 'AbortError', cause: signal.reason as unknown }),
      );
    };
    if (signal.aborted) {
      answer.catch(() => undefined);
      abort();
      return;
    }
    signal.addEventListener('abort', abort, { once: true });
    void answer.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', abort);
    });
  });
}
