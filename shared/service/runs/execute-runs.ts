import { releasePayload } from '../../aws/payloads.ts';
import type { Job } from '../../domain/run/run.ts';
import { longUntilHour, runsShortly } from '../../domain/run/run-length.ts';
import { dayOf } from '../../domain/user/user.ts';
import { errorNotice } from '../notices/error-notice.ts';
import type { Emitter, EmitterState, EmitterStore } from '../../store/emitters/emitters.ts';
import type { Commit } from '../commit/commit.ts';
import type { DelayedEmits } from '../commit/delayed-emits.ts';
import type { JobRunner } from './run-jobs.ts';
import type { JobResult } from './job-result.ts';
import { markRequests, type RequestMarksContext } from './request-marks.ts';
import { lateEvents } from './late-work.ts';
import { withLast } from '../commit/number-events.ts';
import { settledRuns } from './settled-runs.ts';
import { isTick, type RunReceived, type Plan, planFor, type PlanContext } from './plan.ts';
import { doneAfter, type Group, hasWaitedForPermit } from '../../domain/run/received-trigger.ts';

export interface ExecuteRunsContext {
  plan: PlanContext;
  emitters: Pick<EmitterStore, 'load'>;
  runJobs: JobRunner;
  commit: Commit;
  delayedEmits: Pick<DelayedEmits, 'complete'>;
  runRecords: RequestMarksContext['runRecords'];
  runTimeoutMs: number;
  now(): number;
}

/** A tick that comes later than this, together with a later one of its batch, does not run: the last one does. */
const LATE_TICK_MS = 10_000;
/**
 * Limit for the quoted events of one request to the runner. Lambda accepts 6,291,456 bytes, which include db and props.
 */
const LARGEST_JOBS_BYTES = 5_500_000;
/**
 * The most bytes of a UTF-16 unit in quoted JSON. The bound replaces a count, which would cost as much as the quoting
 * itself: batches of large events become smaller, and an event over the limit runs alone.
 */
const LONGEST_QUOTED = 3;

/** Number of completed triggers, and the saved state. */
export interface Progress {
  completed: number;
  state: EmitterState | undefined;
}

/** Executes consecutive triggers with at most one invocation of the runner. */
export async function executeRuns(
  context: ExecuteRunsContext,
  { group, emitter, received }: { group: Group; emitter: Emitter; received: readonly RunReceived[] },
): Promise<Progress> {
  const now = context.now();
  const plans: Plan[] = [];
  let bytes = 0;
  let quotaDay: string | undefined;
  for (const [index, { trigger }] of received.entries()) {
    const isLate = now - trigger.at > LATE_TICK_MS;
    const plan: Awaited<ReturnType<typeof planFor>> =
      group.areDropped === true
        ? { kind: 'nothing' }
        : await planFor(context.plan, emitter, trigger, {
            isCoalesced: isLate && isTick(trigger) && received.slice(index + 1).some((later) => isTick(later.trigger)),
            isQuotaReported: (quotaDay ?? emitter.state.quotaDay) === dayOf(now),
          });
    if (plan.quotaDay !== undefined) quotaDay = plan.quotaDay;
    if (plan.kind === 'job' && plan.job.kind === 'run') {
      if (plans.some((other) => other.kind === 'job' && other.job.id === trigger.id)) {
        plans.push({ kind: 'nothing', isUnrecorded: true });
        continue;
      }
      bytes += plan.job.event.length * LONGEST_QUOTED;
      if (bytes > LARGEST_JOBS_BYTES && plans.length > 0) break;
    }
    plans.push(plan);
  }

  const jobs = plans.flatMap((plan) => (plan.kind === 'job' ? [plan.job] : []));
  const needsNoPermit = received.some(hasWaitedForPermit) || runsShortly(emitter.state.longUntilHour, now);
  const results = await runAll(context, { group, emitter, jobs, needsNoPermit });
  return finish(context, { group, emitter, received, plans, results, quotaDay });
}

async function runAll(
  context: ExecuteRunsContext,
  {
    group: { startBefore },
    emitter: { source, db },
    jobs,
    needsNoPermit,
  }: { group: Group; emitter: Emitter; jobs: readonly Job[]; needsNoPermit: boolean },
): Promise<Map<string, JobResult>> {
  if (!source || jobs.length === 0) return new Map();
  const { configuration, traits } = source;
  const request = { source, configuration, traits, db, jobs, startBefore, needsNoPermit };
  return markRequests(context, source.id, request);
}

interface Finish {
  group: Group;
  emitter: Emitter;
  received: readonly RunReceived[];
  plans: readonly Plan[];
  results: ReadonlyMap<string, JobResult>;
  quotaDay: string | undefined;
}

/** Deletes the payloads of triggers whose results are saved. */
const releaseAll = (bucket: PlanContext['bucket'], done: readonly RunReceived[]): Promise<unknown> =>
  Promise.all(done.map(({ trigger }) => releasePayload(bucket, trigger.payload)));

/** Commits the results up to the first trigger whose run did not start. */
async function finish(
  context: ExecuteRunsContext,
  { group, emitter, received, plans, results, quotaDay }: Finish,
): Promise<Progress> {
  const { source, workflow } = emitter;
  // Synchronous runs of this source bypass the queue: reload what they emitted and wrote meanwhile.
  const isSynchronous = source?.traits.customResponse === true && results.size > 0;
  const { state, db: current } = isSynchronous ? await context.emitters.load(group.emitterId) : emitter;
  const now = context.now();
  const settled = settledRuns({ emitter, state, current, received, plans, results, now });
  const { planned, usage, expiredHour } = settled;
  const done = received.slice(0, planned.length);
  const last = done.at(-1);
  const ownerId = source?.ownerId ?? workflow?.ownerId;
  // A deleted emitter is not saved: its state must not reappear.
  if (!last || ownerId === undefined) {
    await releaseAll(context.plan.bucket, done);
    return { completed: done.length, state };
  }
  const { notice, ...errorChange } = source ? errorNotice(source, { state, planned }, now) : {};
  const saved = await context.commit({
    batch: group.batch,
    emitterId: group.emitterId,
    ownerId,
    state,
    planned: withLast(planned, lateEvents(settled.committed, now)),
    dedupe: settled.dedupe,
    db: settled.db,
    usage,
    payloadBytes: settled.payloadBytes,
    notice,
    changes: {
      ...errorChange,
      ...doneAfter(group, last),
      ...(quotaDay === undefined ? {} : { quotaDay }),
      ...(expiredHour === undefined ? {} : { expiredHour }),
      ...(usage.invocations === 0 ? {} : { longUntilHour: longUntilHour(state.longUntilHour, usage.computeMs, now) }),
    },
  });
  for (const { trigger } of done) {
    if (trigger.kind === 'emit' && trigger.delayedEventId)
      await context.delayedEmits.complete(trigger, trigger.delayedEventId);
  }
  await releaseAll(context.plan.bucket, done);
  return { completed: done.length, state: saved };
}
