import { lineText } from '../../shared/domain/run/line-text.ts';
import { LARGEST_EMITTED_BYTES } from '../../shared/domain/event/emitted-bytes.ts';
import { runError } from '../../shared/runtime/thrown.ts';
import type { Job, RunError, RunnerLine, RunnerRequest } from '../../shared/domain/run/run.ts';
import type { Child } from './child-process.ts';
import { isLate, Session, type SessionContext } from './session.ts';

/** Jobs that a child gets at once: as many as a batch has on AWS. */
const MAX_JOBS = 10;
/**
 * A request that has written so much starts no further jobs, because its caller holds all events until it stores them.
 */
const MAX_WRITTEN = MAX_JOBS * LARGEST_EMITTED_BYTES;

/**
 * Runs the jobs of a request in order and writes exactly one `end` line for each, also when a child hangs or dies. A
 * child that does so loses only its job: the next child continues with the other jobs and the db as last written.
 */
export async function serveRequest(request: RunnerRequest, context: SessionContext): Promise<void> {
  let { jobs, db } = request;
  let idleEnds = 0;
  let written = 0;
  while (jobs.length > 0 && !isLate(request) && written < MAX_WRITTEN) {
    const child = await acquire(request, jobs[0], context);
    if (!child) return;
    const session = new Session({ ...request, jobs: jobs.slice(0, MAX_JOBS), db }, child, context);
    const { finished, failed, stopped, ...ended } = await session.done;
    written += ended.written;
    // A child that ended before it finished a job did not end between jobs, whatever its exit code says.
    idleEnds = finished === 0 ? idleEnds + 1 : 0;
    jobs = stopped ? [] : jobs.slice(finished);
    db = session.db;
    const [lost] = jobs;
    if (lost && (failed || idleEnds > 0)) {
      const line: RunnerLine = { k: 'end', job: lost.id, ms: session.elapsedMs, error: failed ?? crashed() };
      context.output.write(lineText(line));
      jobs = jobs.slice(1);
    }
  }
}

/** A job that got no child was not started and comes again. Its line distinguishes this case from a lost runner. */
async function acquire(
  request: RunnerRequest,
  next: Job | undefined,
  { pool, output }: SessionContext,
): Promise<Child | undefined> {
  try {
    return await pool.acquire(request);
  } catch (error) {
    output.write(unreadyLine(next, error));
    return undefined;
  }
}

export function unreadyLine(job: Job | undefined, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const line: RunnerLine = { k: 'unready', job: job?.id ?? '', message };
  return lineText(line);
}

const crashed = (): RunError => runError('crashed', 'The component ended its process.');
