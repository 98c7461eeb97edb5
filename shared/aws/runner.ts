import { InvokeWithResponseStreamCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import type { ComponentDescription } from '../domain/component.ts';
import { ServiceError } from '../domain/errors.ts';
import type { LogLine } from '../domain/log-event.ts';
import { defaultLimits, type RunError, RunnerLine, type RunnerRequest } from '../domain/run.ts';
import { LineCutter } from './lines.ts';

export type DescribeResult =
  { ok: true; description: ComponentDescription } | { ok: false; error: RunError; logs: LogLine[] };

interface DescribeRequest {
  ownerId: RunnerRequest['ownerId'];
  bundle: RunnerRequest['bundle'];
  timeoutMs: number;
}

/** `lost`: the answer broke off or ended in an error, or nobody waited for its end. */
type Ending = 'complete' | 'lost';

export interface Runner {
  /**
   * Hands over each line as it arrives and resolves when the answer has ended, also when the runner was lost half-way: then jobs have no
   * `end` line. Throws `unavailable` when nothing was started. With a signal it resolves then at the latest, as if the runner were lost.
   */
  run(request: RunnerRequest, onLine: (line: RunnerLine) => void, signal?: AbortSignal): Promise<Ending>;
  describe(request: DescribeRequest): Promise<DescribeResult>;
}

/** The runner took nothing: another time, or another instance, may. */
const transient = new Set([
  'TooManyRequestsException',
  'ServiceException',
  'EC2ThrottledException',
  'ENILimitReachedException',
  'ResourceConflictException',
  'ResourceNotReadyException',
  'SnapStartNotReadyException',
  'TimeoutError',
]);

const isTransient = (error: unknown) =>
  error instanceof Error &&
  (transient.has(error.name) ||
    // Errors of the connection, before an answer began.
    ('code' in error && typeof error.code === 'string' && /^E[A-Z]+$/.test(error.code)));

const unavailable = (cause: unknown) =>
  new ServiceError('unavailable', 'unavailable', 'The runner takes no more work at the moment', { cause });

/** What arrives before the signal; what comes later goes nowhere. */
async function* untilAborted<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  const aborted = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  for (;;) {
    const next = await Promise.race([iterator.next(), aborted]);
    if (!next || next.done === true) return;
    yield next.value;
  }
}

/** Getting to the runner, a cold one too, and to the bundle; the job itself has its own limit there. */
const WAY_MS = 3_000;

export function createRunner(lambda: LambdaClient, functionName: string, wayMs = WAY_MS): Runner {
  async function invoke(
    request: RunnerRequest,
    onLine: (line: RunnerLine) => void,
    signal?: AbortSignal,
  ): Promise<Ending> {
    let stream;
    try {
      ({ EventStream: stream } = await lambda.send(
        new InvokeWithResponseStreamCommand({
          FunctionName: functionName,
          TenantId: request.ownerId,
          Payload: Buffer.from(JSON.stringify(request)),
        }),
        signal && { abortSignal: signal },
      ));
    } catch (error) {
      if (signal?.aborted) return 'lost';
      if (isTransient(error)) throw unavailable(error);
      throw error;
    }
    if (!stream) throw unavailable(undefined);
    const lines = new LineCutter();
    const pieces = (signal ? untilAborted(stream, signal) : stream)[Symbol.asyncIterator]();
    let isLost = false;
    let isComplete = false;
    const take = (text: string) => {
      const line = lineOf(text);
      // A line cut short by a crash is the end of what is known.
      if (!line && !isLost && !signal?.aborted)
        throw new Error(`The runner wrote a line that is none: ${text.slice(0, 200)}`);
      if (line) onLine(line);
    };
    const next = async () => {
      try {
        return (await pieces.next()).value;
      } catch {
        isLost = true;
        return undefined;
      }
    };
    // No generators in between: every piece of every run comes through here.
    for (let piece = await next(); piece; piece = await next()) {
      if (piece.InvokeComplete) isComplete = !piece.InvokeComplete.ErrorCode;
      if (piece.InvokeComplete?.ErrorCode) isLost = true;
      if (piece.PayloadChunk?.Payload) for (const text of lines.push(piece.PayloadChunk.Payload)) take(text);
    }
    for (const text of lines.end()) take(text);
    return isComplete ? 'complete' : 'lost';
  }

  return {
    run: invoke,
    async describe({ ownerId, bundle, timeoutMs }) {
      const lines: RunnerLine[] = [];
      const patience = AbortSignal.timeout(timeoutMs + wayMs);
      await invoke(
        {
          ownerId,
          processKey: `describe-${bundle.hash}`,
          sourceId: '',
          bundle,
          props: {},
          db: '{}',
          limits: { ...defaultLimits, timeoutMs },
          jobs: [{ kind: 'describe', id: 'describe' }],
        },
        (line) => lines.push(line),
        patience,
      );
      for (const line of lines) {
        if (line.k === 'described') return { ok: true, description: line.description };
        if (line.k === 'unready') throw unavailable(new Error(line.message));
        if (line.k === 'end' && line.error) return { ok: false, error: line.error, logs: logsAmong(lines) };
      }
      if (patience.aborted) return { ok: false, error: TOO_SLOW, logs: logsAmong(lines) };
      throw unavailable(undefined);
    },
  };
}

const logsAmong = (lines: readonly RunnerLine[]): LogLine[] => lines.filter((line) => line.k === 'log');

/** Whatever kept it, it was not loaded in time: the answer must not wait. */
const TOO_SLOW: RunError = {
  code: 'timeout',
  name: 'Error',
  message: 'The component was not loaded in time',
  stack: '',
};

function lineOf(text: string): RunnerLine | undefined {
  try {
    return RunnerLine.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
