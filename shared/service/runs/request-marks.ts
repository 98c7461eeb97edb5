import type { SourceId } from '../../domain/id.ts';
import { isRequestedRun } from '../../domain/run/answered-trigger.ts';
import type { RunRecordStore } from '../../store/emitters/run-records.ts';
import type { JobRunner } from './run-jobs.ts';
import type { JobResult } from './job-result.ts';

export interface RequestMarksContext {
  runJobs: JobRunner;
  runRecords: Pick<RunRecordStore, 'started' | 'waits'>;
  now(): number;
}

const IS_PENDING: ReadonlySet<JobResult['state']> = new Set(['unstarted', 'unready', 'silent']);

/**
 * Runs jobs, and marks requested runs as running meanwhile. The marks are written beside the jobs and end before the
 * commit, which removes them. A mark that fails leaves the run `waiting` until its end.
 */
export async function markRequests(
  { runJobs, runRecords, now }: RequestMarksContext,
  sourceId: SourceId,
  request: Parameters<JobRunner>[0],
): Promise<Map<string, JobResult>> {
  if (!request.jobs.some(({ id }) => isRequestedRun(id))) return runJobs(request);
  const started = new Map<string, Promise<unknown>>();
  const onStart = (id: string) => {
    if (isRequestedRun(id))
      started.set(
        id,
        runRecords.started(sourceId, id, now()).catch(() => undefined),
      );
  };
  const isPending = (results: ReadonlyMap<string, JobResult> | undefined, id: string) =>
    IS_PENDING.has(results?.get(id)?.state ?? 'unstarted');
  let results: Map<string, JobResult> | undefined;
  try {
    return (results = await runJobs({ ...request, onStart }));
  } finally {
    const marks = [...started].map(async ([id, mark]) => {
      await mark;
      if (isPending(results, id)) await runRecords.waits(sourceId, id).catch(() => undefined);
    });
    await Promise.all(marks);
  }
}
