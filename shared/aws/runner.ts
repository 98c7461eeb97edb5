import { InvokeWithResponseStreamCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import type { Slips } from '../domain/component/code-slips.ts';
import type { ComponentDescription } from '../domain/component/component.ts';
import { ServiceError } from '../domain/errors.ts';
import type { LogLine } from '../domain/run/log-event.ts';
import type { RunError, RunnerLine, RunnerRequest } from '../domain/run/run.ts';
import { LineReader } from '../lib/line-reader.ts';
import { defaultLimits } from '../domain/run-limits.ts';
import { LONGEST_LINE, readLine } from '../domain/run/runner-line.ts';
import type { InputWithValue } from './payload-value.ts';

export type DescribeResult =
  | { ok: true; description: ComponentDescription }
  | { ok: false; error: RunError; logs: LogLine[] };

interface DescribeRequest {
  ownerId: RunnerRequest['ownerId'];
  bundle: RunnerRequest['bundle'];
  /** Findings of the builder, which the description completes. */
  slips?: Slips | undefined;
  timeoutMs: number;
}

/** `lost`: the response broke off or ended with an error, or the caller's signal aborted. */
type Ending = 'complete' | 'lost';

export type Runner = ReturnType<typeof createRunner>;

/** Errors before the runner accepted the request; a later attempt may succeed. */
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
    // Connection errors before the response.
    ('code' in error && typeof error.code === 'string' && /^E[A-Z]+$/.test(error.code)));

const unavailable = (cause: unknown) =>
  new ServiceError('unavailable', 'Too many runs are in progress; repeat the request in a few seconds.', { cause });

/** Yields the items that arrive before the signal aborts. */
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

/** Time for a cold start and for fetching the bundle, in addition to the job's own limit. */
const OVERHEAD_MS = 3_000;

interface RunnerOptions {
  functionName: string;
  /** The tenant id of a request: requests with different ids never share an execution environment. */
  tenantOf(request: RunnerRequest): string;
  overheadMs?: number;
}

export function createRunner(
  lambda: () => LambdaClient,
  { functionName, tenantOf, overheadMs = OVERHEAD_MS }: RunnerOptions,
) {
  async function invoke(
    request: RunnerRequest,
    onLine: (line: RunnerLine) => void,
    signal?: AbortSignal,
  ): Promise<Ending> {
    let stream;
    try {
      const input: InputWithValue = {
        FunctionName: functionName,
        TenantId: tenantOf(request),
        PayloadValue: { ...request, readsUnquotedJson: true, checksLongEvents: true, readsLateLines: true },
      };
      ({ EventStream: stream } = await lambda().send(
        new InvokeWithResponseStreamCommand(input),
        signal && { abortSignal: signal },
      ));
    } catch (error) {
      if (signal?.aborted) return 'lost';
      if (isTransient(error)) throw unavailable(error);
      throw error;
    }
    if (!stream) throw unavailable(undefined);
    const lines = new LineReader();
    const pieces = (signal ? untilAborted(stream, signal) : stream)[Symbol.asyncIterator]();
    let isLost = false;
    let isComplete = false;
    const handleLine = (text: string) => {
      if (text === '') return;
      const line = readLine(text);
      // The last line of a crashed runner may be incomplete. The error must not quote the line, which may contain an
      // event.
      if (!line && !isLost && !signal?.aborted)
        throw new Error(`The runner wrote an unreadable line of ${text.length} characters`);
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
    // No generator, because this loop handles every chunk of every run.
    for (let piece = await next(); piece; piece = await next()) {
      if (piece.InvokeComplete) isComplete = !piece.InvokeComplete.ErrorCode;
      if (piece.InvokeComplete?.ErrorCode) isLost = true;
      if (piece.PayloadChunk?.Payload)
        for (const text of lines.push(bufferOf(piece.PayloadChunk.Payload))) handleLine(text);
      if (lines.pending > LONGEST_LINE) throw new Error('The runner wrote a line that is too long');
    }
    for (const text of lines.end()) handleLine(text);
    return isComplete ? 'complete' : 'lost';
  }

  return {
    /**
     * Passes each line to `onLine` as it arrives, and resolves when the response ends. When the runner is lost on the
     * way, jobs have no `end` line. Throws `unavailable` when nothing was started. An aborted signal counts as a lost
     * runner.
     */
    run: invoke,
    async describe(request: DescribeRequest): Promise<DescribeResult> {
      const lines: RunnerLine[] = [];
      const timeout = AbortSignal.timeout(request.timeoutMs + overheadMs);
      await invoke(describeRun(request), (line) => lines.push(line), timeout);
      for (const line of lines) {
        if (line.k === 'described') return { ok: true, description: line.description };
        if (line.k === 'unready') throw unavailable(new Error(line.message));
        if (line.k === 'end' && line.error) return { ok: false, error: line.error, logs: logsAmong(lines) };
      }
      // The runner ends a component that loads for too long. One without an end waits for a process.
      throw timeout.aborted ? notStarted() : unavailable(undefined);
    },
  };
}

const describeRun = ({ ownerId, bundle, slips, timeoutMs }: DescribeRequest): RunnerRequest => ({
  ownerId,
  processKey: `describe-${bundle.hash}`,
  sourceId: '',
  bundle,
  props: {},
  db: '{}',
  limits: { ...defaultLimits, timeoutMs },
  jobs: [{ kind: 'describe', id: 'describe', ...(slips === undefined ? {} : { slips }) }],
});

/** The same bytes. */
const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

const logsAmong = (lines: readonly RunnerLine[]): LogLine[] => lines.filter((line) => line.k === 'log');

const notStarted = () =>
  new ServiceError(
    'still_building',
    'The component is built, and waits for a process that loads it. Send the request again.',
    { retryAfterSeconds: 5 },
  );
