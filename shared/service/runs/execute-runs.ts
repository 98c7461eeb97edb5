import { computeTime } from '../../domain/compute-time.ts';
import type { Job } from '../../domain/run.ts';
import { REFUSAL_MS } from '../../domain/overload.ts';
import { dayOf } from '../../domain/user.ts';
import type { Emitter, EmitterState, EmitterStore } from '../../store/emitters.ts';
import { startedResult } from './started.ts';
import type { Commit } from './commit.ts';
import type { DelayedEmits } from './delayed-emits.ts';
import type { DbChange } from './db-change.ts';
import type { JobResult, JobRunner } from './run-jobs.ts';
import type { Planned } from './number-events.ts';
import { outcomeOf, type PlannedEvent } from './run-outcome.ts';
import { isTick, type RunReceived, type Plan, planFor, type PlanContext } from './plan.ts';
import type { Group } from './received-trigger.ts';

export interface ExecuteRunsContext {
  plan: PlanContext;
  emitters: Pick<EmitterStore, 'load'>;
  runJobs: JobRunner;
  commit: Commit;
  delayedEmits: Pick<DelayedEmits, 'complete'>;
  runTimeoutMs: number;
  now(): number;
}

/** Of the events, quoted, in a request to the runner, which ends at 6,291,456 bytes and also holds the db and the props. */
const LARGEST_JOBS_BYTES = 5_500_000;
/** Quoted, no character of JSON becomes longer. */
const LONGEST_QUOTED = 3;
/** Up to here it is not worth knowing exactly: ten of them are far from the limit. */
const SMALL_CHARACTERS = 50_000;

const quotedBytes = (json: string) =>
  json.length <= SMALL_CHARACTERS ? json.length * LONGEST_QUOTED : Buffer.byteLength(JSON.stringify(json));
/** Work is lagging when it is older than this beyond a run's own limit. */
const OVERLOADED_AFTER_MS = 60_000;

/** How far the triggers were carried out, and the state they left. */
export interface Progress {
  completed: number;
  state: EmitterState | undefined;
}

/** Carries out triggers that follow one another, with at most one invocation of the runner. */
export async function executeRuns(
  context: ExecuteRunsContext,
  { group, emitter, received }: { group: Group; emitter: Emitter; received: readonly RunReceived[] },
): Promise<Progress> {
  const now = context.now();
  const plans: Plan[] = [];
  let bytes = 0;
  let quotaDay: string | undefined;
  for (const [index, { trigger }] of received.entries()) {
    const isLate = now - trigger.at > context.runTimeoutMs + OVERLOADED_AFTER_MS;
    const plan = await planFor(context.plan, emitter, trigger, {
      isCoalesced:
        isLate && isTick(trigger) && received.slice(index + 1).some((later) => isTick(later.trigger)),
      isQuotaTold: (quotaDay ?? emitter.state.quotaDay) === dayOf(now),
    });
    if (plan.quotaDay !== undefined) quotaDay = plan.quotaDay;
    if (plan.kind === 'job' && plan.job.kind === 'run') {
      if (plans.some((other) => other.kind === 'job' && other.job.id === trigger.id)) {
        plans.push({ kind: 'nothing' });
        continue;
      }
      bytes += quotedBytes(plan.job.event);
      if (bytes > LARGEST_JOBS_BYTES && plans.length > 0) break;
    }
    plans.push(plan);
  }

  const jobs = plans.flatMap((plan) => (plan.kind === 'job' ? [plan.job] : []));
  const results = await runAll(context, group, emitter, jobs);
  return finish(context, { group, emitter, received, plans, results, quotaDay });
}

async function runAll(
  { runJobs }: ExecuteRunsContext,
  { startBefore }: Group,
  { source, db }: Emitter,
  jobs: readonly Job[],
): Promise<Map<string, JobResult>> {
  if (!source || jobs.length === 0) return new Map();
  const { configuration, traits } = source;
  return runJobs({ source, configuration, traits, db, jobs, startBefore });
}

interface Finish {
  group: Group;
  emitter: Emitter;
  received: readonly RunReceived[];
  plans: readonly Plan[];
  results: ReadonlyMap<string, JobResult>;
  quotaDay: string | undefined;
}

/** Commits what was carried out, up to the first trigger whose run did not begin. */
async function finish(
  context: ExecuteRunsContext,
  { group, emitter, received, plans, results, quotaDay }: Finish,
): Promise<Progress> {
  const { source, workflow } = emitter;
  // Runs that answer for themselves are carried out beside: what they have emitted and written meanwhile counts.
  const isSynchronous = source?.traits.customResponse === true && results.size > 0;
  const { state, db: current } = isSynchronous ? await context.emitters.load(group.emitterId) : emitter;
  const now = context.now();
  const planned: Planned[] = [];
  const usage = { invocations: 0, computeMs: 0 };
  let dedupe = state.dedupe;
  let db: DbChange | undefined;
  let completed = 0;
  for (const [index, plan] of plans.entries()) {
    const one = received[index];
    if (!one) break;
    let events: readonly PlannedEvent[] = [];
    if (plan.kind === 'events') events = plan.events;
    if (plan.kind === 'job' && source) {
      const { result, obstacle } = startedResult(results.get(plan.job.id), one);
      // What came before it is saved first; then it is the first itself.
      if (obstacle && completed === 0) throw obstacle;
      if (!result) break;
      const outcome = outcomeOf({ context: plan.context, traits: source.traits, result, dedupe, now });
      ({ events, dedupe } = outcome);
      if (result.db !== undefined)
        db = { given: emitter.db, left: result.db, now: current, context: outcome.context };
      usage.invocations += 1;
      usage.computeMs += computeTime(result.ms);
    }
    planned.push({
      triggerId: one.trigger.id,
      firstMs: one.firstReceivedAt,
      hops: one.trigger.hops,
      events,
    });
    completed += 1;
  }
  const last = received[completed - 1];
  const ownerId = source?.ownerId ?? workflow?.ownerId;
  // Of an emitter that is gone nothing is saved: its state must not come back.
  if (!last || ownerId === undefined) return { completed, state };
  const isOverloaded = received.some(
    ({ trigger }) => now - trigger.at > context.runTimeoutMs + OVERLOADED_AFTER_MS,
  );
  const saved = await context.commit({
    emitterId: group.emitterId,
    ownerId,
    state,
    planned,
    dedupe,
    db,
    usage,
    changes: {
      done: { queue: group.queue, sequence: last.sequence },
      overloadedUntil: isOverloaded ? now + REFUSAL_MS : undefined,
      ...(quotaDay === undefined ? {} : { quotaDay }),
    },
  });
  for (const { trigger } of received.slice(0, completed)) {
    if (trigger.kind === 'emit' && trigger.held)
      await context.delayedEmits.complete(trigger.emitterId, trigger.held);
  }
  return { completed, state: saved };
}
