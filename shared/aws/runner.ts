import { InvokeWithResponseStreamCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import type { ComponentDescription } from '../domain/component.ts';
import { ServiceError } from '../domain/errors.ts';
import { defaultLimits, type RunError, RunnerLine, type RunnerRequest } from '../domain/run.ts';

export type DescribeResult = { ok: true; description: ComponentDescription } | { ok: false; error: RunError };

export interface DescribeRequest {
  ownerId: RunnerRequest['ownerId'];
  bundle: RunnerRequest['bundle'];
  timeoutMs: number;
}

export interface Runner {
  /**
   * Hands over each line as it arrives and resolves when the answer has ended, also when the runner was lost half-way: then jobs have no
   * `end` line. Throws `unavailable` when nothing was started.
   */
  run(request: RunnerRequest, onLine: (line: RunnerLine) => void): Promise<void>;
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

/** Cuts a stream of bytes into lines; the last one counts without its newline too. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    let start = 0;
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n', start)) {
      if (end > start) yield rest.slice(start, end);
      start = end + 1;
    }
    rest = rest.slice(start);
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}

export function runnerOf(lambda: LambdaClient, functionName: string): Runner {
  async function invoke(request: RunnerRequest, onLine: (line: RunnerLine) => void): Promise<void> {
    let stream;
    try {
      ({ EventStream: stream } = await lambda.send(
        new InvokeWithResponseStreamCommand({
          FunctionName: functionName,
          TenantId: request.ownerId,
          Payload: Buffer.from(JSON.stringify(request)),
        }),
      ));
    } catch (error) {
      if (isTransient(error)) throw unavailable(error);
      throw error;
    }
    if (!stream) throw unavailable(undefined);
    const events = stream;
    let lost = '';
    async function* payloads(): AsyncGenerator<Uint8Array> {
      try {
        for await (const { PayloadChunk, InvokeComplete } of events) {
          if (PayloadChunk?.Payload) yield PayloadChunk.Payload;
          if (InvokeComplete?.ErrorCode) lost = InvokeComplete.ErrorCode;
        }
      } catch (error) {
        lost = error instanceof Error ? error.name : 'unknown';
      }
    }
    for await (const text of linesOf(payloads())) {
      const line = lineOf(text);
      // A line cut short by a crash is the end of what is known.
      if (!line && lost === '')
        throw new Error(`The runner wrote a line that is none: ${text.slice(0, 200)}`);
      if (line) onLine(line);
    }
  }

  return {
    run: invoke,
    async describe({ ownerId, bundle, timeoutMs }) {
      const lines: RunnerLine[] = [];
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
      );
      for (const line of lines) {
        if (line.k === 'described') return { ok: true, description: line.description };
        if (line.k === 'end' && line.error) return { ok: false, error: line.error };
      }
      throw unavailable(undefined);
    },
  };
}

function lineOf(text: string): RunnerLine | undefined {
  try {
    return RunnerLine.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
