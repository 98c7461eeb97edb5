import { retryAfterMs } from '../domain/delivery/retry-schedule.ts';
import { DeadlineExceeded, withDeadline } from './deadline.ts';
import { type FailedAttempt, retryDelayMs, type RetryOptions } from './retry-delay.ts';
import { errorOfResponse, notTributary, TributaryError } from './tributary-error.ts';

export type Fetch = (request: Request) => Promise<Response>;

export interface SendOptions extends RetryOptions {
  /** Default: the global `fetch`. */
  fetch?: Fetch;
  /** Time for one attempt. Default: 35 s, because the service responds within 30 s. */
  timeoutMs?: number;
  /** Called before a request is sent again. If it throws, the request ends with that error. */
  beforeRetry?: (failed: FailedRequest) => void;
}

interface FailedRequest {
  /** The error of the last attempt. */
  error: TributaryError;
  /** Attempts so far. */
  attempts: number;
}

export interface SendContext {
  wait(ms: number, signal: AbortSignal): Promise<void>;
  now(): number;
  random(): number;
}

interface Failure extends Pick<FailedAttempt, 'status' | 'code' | 'retryAfter'> {
  error: TributaryError;
}
type Outcome = { response: Response } | Failure;

/**
 * Sends requests, repeats those that may be repeated, and throws a {@link TributaryError} for every response that is
 * not a success.
 */
export function createSend(options: SendOptions, context: SendContext): Fetch {
  const attempt = attemptOf(options, context.now);
  return async (request) => {
    let mayBeDone = false;
    for (let earlier = 0; ; earlier += 1) {
      const outcome = await attempt(request);
      if ('response' in outcome) return outcome.response;
      const { error, ...failure } = outcome;
      // The response to an earlier attempt was lost, and that attempt has deleted it.
      if (mayBeDone && request.method === 'DELETE' && failure.status === 404)
        return new Response(null, { status: 204 });
      const delay = retryDelayMs(
        { ...failure, method: request.method, earlier },
        { ...options, now: context.now(), random: context.random() },
      );
      if (delay === undefined) throw error;
      options.beforeRetry?.({ error, attempts: earlier + 1 });
      mayBeDone ||= failure.status === undefined || failure.status >= 500;
      await context.wait(delay, request.signal);
    }
  };
}

const attemptOf =
  ({ fetch: send = (request) => fetch(request), timeoutMs = 35_000 }: SendOptions, now: () => number) =>
  async (request: Request): Promise<Outcome> => {
    try {
      return await withDeadline({ ms: timeoutMs, signal: request.signal }, async (signal) => {
        const response = await send(new Request(request.clone(), { signal }));
        return response.ok ? await successOf(response) : await refusalOf(response, now());
      });
    } catch (cause) {
      request.signal.throwIfAborted();
      const { origin } = new URL(request.url);
      const error =
        cause instanceof DeadlineExceeded
          ? new TributaryError(`${origin} did not answer within ${timeoutMs / 1000} s.`, {
              kind: 'unreachable',
              code: 'no_answer',
              cause,
            })
          : new TributaryError(`No connection to ${origin}: ${reasonOf(cause)}.`, {
              kind: 'unreachable',
              code: 'no_connection',
              cause,
            });
      return { status: undefined, code: undefined, retryAfter: undefined, error };
    }
  };

/** fetch hides the reason in the cause, and several attempts to connect in an aggregate. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  return first instanceof Error ? first.message : String(first);
}

/** Responses of the service; of a live stream, only one that ends within the time of the attempt is read. */
const OWN_TYPES = ['application/json', 'text/event-stream'];

/** Reads the body within the time of the attempt. */
async function successOf(response: Response): Promise<Outcome> {
  const { status, headers } = response;
  if (status === 204) return { response: new Response(null, { status }) };
  const type = headers.get('content-type') ?? '';
  if (!OWN_TYPES.some((own) => type.startsWith(own))) {
    const error = notTributary(status);
    return { status, code: error.code, retryAfter: undefined, error };
  }
  const body = await response.text();
  return { response: new Response(body, { status, headers: { 'content-type': type } }) };
}

async function refusalOf(response: Response, now: number): Promise<Outcome> {
  const { status, headers } = response;
  const retryAfter = headers.get('retry-after') ?? undefined;
  const error = errorOfResponse({
    status,
    body: parsed(await response.text()),
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterMs: retryAfterMs(retryAfter, now),
  });
  return { status, code: error.code, retryAfter, error };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
