import { releasePayload } from '../../aws/payloads.ts';
import { isOwnObject } from '../../domain/event/payload.ts';
import { chainOf } from '../../domain/run/chain.ts';
import { computeTime } from '../../domain/run/compute-time.ts';
import type { Job } from '../../domain/run/run.ts';
import { longUntilHour, runsShortly } from '../../domain/run/run-length.ts';
import { dayOf } from '../../domain/user/user.ts';
import { HOUR_MS } from '../../lib/durations.ts';
import { errorNotice } from '../notices/error-notice.ts';
import type { Emitter, EmitterState, EmitterStore } from '../../store/emitters.ts';
import { startedResult } from './started.ts';
import type { Commit } from '../commit/commit.ts';
import type { DelayedEmits } from '../commit/delayed-emits.ts';
import type { DbChange } from '../commit/db-change.ts';
import type { JobRunner } from './run-jobs.ts';
import type { JobResult } from './job-result.ts';
import { endedJob, endedPlan } from './ended-run.ts';
import { markRequests, type RequestMarksContext } from './request-marks.ts';
import { lateEvents } from './late-work.ts';
import { type Planned, withLast } from '../commit/number-events.ts';
import { eventContextOf } from './error-context.ts';
import { outcomeOf } from './run-outcome.ts';
import type { PlannedEvent } from '../commit/planned-event.ts';
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
/** Limit for the quoted events of one request to the runner. Lambda accepts 6,291,456 bytes, which include db and props. */
const LARGEST_JOBS_BYTES = 5_500_000;
/**
 * The most bytes of a UTF-16 unit in quoted JSON. The bound replaces a count, which would cost as much as the quoting itself: batches of
 * large events become smaller, and an event over the limit runs alone.
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
            isCoalesced:
              isLate && isTick(trigger) && received.slice(index + 1).some((later) => isTick(later.trigger)),
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

/** Bytes of the payload, if it is an object of the trigger. */
const payloadBytesOf = ({ payload }: RunReceived['trigger']): number =>
  isOwnObject(payload) ? payload.bytes : 0;

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
  const planned: Planned[] = [];
  const usage = { invocations: 0, computeMs: 0 };
  let dedupe = state.dedupe;
  let db: DbChange | undefined;
  const committed: JobResult[] = [];
  const hour = Math.floor(now / HOUR_MS);
  let expiredHour: number | undefined;
  let completed = 0;
  let payloadBytes = 0;
  for (const [index, plan] of plans.entries()) {
    const item = received[index];
    if (!item) break;
    let events: readonly PlannedEvent[] = plan.kind === 'events' ? plan.events : [];
    payloadBytes += payloadBytesOf(item.trigger);
    let run: Planned['run'];
    let ended = endedPlan(item.trigger, plan, now);
    let errorContext = eventContextOf(item.trigger, events[0]?.json ?? '{}');
    if (plan.kind === 'job' && source) {
      const { result, obstacle } = startedResult(results.get(plan.job.id), item);
      // Commit the earlier triggers first; the failing one is then the first of the next batch.
      if (obstacle && completed === 0) throw obstacle;
      if (!result) break;
      const outcome = outcomeOf({ context: plan.context, traits: source.traits, result, dedupe, now });
      ({ events, dedupe, context: errorContext } = outcome);
      committed.push(result);
      ended = endedJob(item.trigger, result, now);
      if (result.state === 'refused' && isTick(item.trigger)) {
        // A timer goes on ticking: one report an hour is enough.
        if (state.expiredHour === hour || expiredHour === hour) {
          events = [];
          ended = endedPlan(item.trigger, { kind: 'nothing' }, now);
        }
        expiredHour = hour;
      }
      if (result.db !== undefined)
        db = { before: emitter.db, after: result.db, current, context: outcome.context };
      if (result.state !== 'refused') {
        run = { outcome: result.errors.length > 0 ? 'failed' : 'ok', ms: result.ms };
        usage.invocations += 1;
        usage.computeMs += computeTime(result.ms);
      }
    }
    planned.push({
      triggerId: item.trigger.id,
      firstMs: item.firstReceivedAt,
      chain: chainOf(item.trigger),
      ...(run ? { run } : {}),
      ...(item.trigger.kind === 'run' ? { ended } : {}),
      context: errorContext,
      events,
    });
    completed += 1;
  }
  const last = received[completed - 1];
  const ownerId = source?.ownerId ?? workflow?.ownerId;
  // A deleted emitter is not saved: its state must not reappear.
  if (!last || ownerId === undefined) {
    await releaseAll(context.plan.bucket, received.slice(0, completed));
    return { completed, state };
  }
  const { notice, ...errorChange } = source ? errorNotice(source, { state, planned }, now) : {};
  const saved = await context.commit({
    batch: group.batch,
    emitterId: group.emitterId,
    ownerId,
    state,
    planned: withLast(planned, lateEvents(committed, now)),
    dedupe,
    db,
    usage,
    payloadBytes,
    notice,
    changes: {
      ...errorChange,
      ...doneAfter(group, last),
      ...(quotaDay === undefined ? {} : { quotaDay }),
      ...(expiredHour === undefined ? {} : { expiredHour }),
      ...(usage.invocations === 0
        ? {}
        : { longUntilHour: longUntilHour(state.longUntilHour, usage.computeMs, now) }),
    },
  });
  for (const { trigger } of received.slice(0, completed)) {
    if (trigger.kind === 'emit' && trigger.delayedEventId)
      await context.delayedEmits.complete(trigger, trigger.delayedEventId);
  }
  await releaseAll(context.plan.bucket, received.slice(0, completed));
  return { completed, state: saved };
}
