import { isOwnObject } from '../../domain/event/payload.ts';
import { chainOf } from '../../domain/run/chain.ts';
import { computeTime } from '../../domain/run/compute-time.ts';
import { HOUR_MS } from '../../lib/durations.ts';
import type { Source } from '../../domain/source/source.ts';
import type { Emitter, EmitterState } from '../../store/emitters/emitters.ts';
import type { DbChange } from '../commit/db-change.ts';
import type { Planned } from '../commit/number-events.ts';
import { endedJob, endedPlan } from './ended-run.ts';
import { eventContextOf } from './error-context.ts';
import type { JobResult } from './job-result.ts';
import { isTick, type Plan, type RunReceived } from './plan.ts';
import { outcomeOf } from './run-outcome.ts';
import { startedResult } from './started.ts';

interface Executed {
  emitter: Emitter;
  /** State and `db` as of now: synchronous runs may have changed them. */
  state: EmitterState;
  current: Emitter['db'];
  received: readonly RunReceived[];
  plans: readonly Plan[];
  results: ReadonlyMap<string, JobResult>;
  now: number;
}

/** The effects of consecutive triggers, before they are committed. */
interface Settled {
  planned: Planned[];
  committed: JobResult[];
  usage: { invocations: number; computeMs: number };
  dedupe: EmitterState['dedupe'];
  db: DbChange | undefined;
  expiredHour: number | undefined;
  payloadBytes: number;
}

/**
 * Folds plans and results up to the first trigger whose run did not start. Throws its obstacle if it is the first
 * trigger.
 */
export function settledRuns(executed: Executed): Settled {
  const { emitter, state, received, plans, results } = executed;
  const settled: Settled = {
    planned: [],
    committed: [],
    usage: { invocations: 0, computeMs: 0 },
    dedupe: state.dedupe,
    db: undefined,
    expiredHour: undefined,
    payloadBytes: 0,
  };
  for (const [index, plan] of plans.entries()) {
    const item = received[index];
    if (!item) break;
    if (plan.kind !== 'job' || !emitter.source) {
      settlePlan(settled, executed, { item, plan });
      continue;
    }
    const { result, obstacle } = startedResult(results.get(plan.job.id), item);
    // The earlier triggers are committed first; the failing one is then the first of the next batch.
    if (obstacle && settled.planned.length === 0) throw obstacle;
    if (!result) break;
    settleJob(settled, executed, { source: emitter.source, item, plan, result });
  }
  return settled;
}

type Ended = Pick<Planned, 'run' | 'ended' | 'context' | 'events'>;

function add(settled: Settled, { trigger, firstReceivedAt }: RunReceived, ended: Ended): void {
  settled.payloadBytes += isOwnObject(trigger.payload) ? trigger.payload.bytes : 0;
  const { run, ended: record, context, events } = ended;
  settled.planned.push({
    triggerId: trigger.id,
    firstMs: firstReceivedAt,
    chain: chainOf(trigger),
    ...(run ? { run } : {}),
    ...(trigger.kind === 'run' ? { ended: record } : {}),
    context,
    events,
  });
}

function settlePlan(settled: Settled, { now }: Executed, { item, plan }: { item: RunReceived; plan: Plan }): void {
  const events = plan.kind === 'events' ? plan.events : [];
  const context = eventContextOf(item.trigger, events[0]?.json ?? '{}');
  add(settled, item, { ended: endedPlan(item.trigger, plan, now), context, events });
}

interface EndedJob {
  source: Source;
  item: RunReceived;
  plan: Extract<Plan, { kind: 'job' }>;
  result: JobResult;
}

function settleJob(
  settled: Settled,
  { emitter, state, current, now }: Executed,
  { source, item, plan, result }: EndedJob,
): void {
  const { dedupe, ...outcome } = outcomeOf({
    context: plan.context,
    traits: source.traits,
    result,
    dedupe: settled.dedupe,
    now,
  });
  settled.dedupe = dedupe;
  settled.committed.push(result);
  if (result.db !== undefined) settled.db = { before: emitter.db, after: result.db, current, context: outcome.context };
  if (result.state === 'refused') {
    const hour = Math.floor(now / HOUR_MS);
    // A timer goes on ticking: one report an hour is enough.
    const isReported = isTick(item.trigger) && (state.expiredHour === hour || settled.expiredHour === hour);
    if (isTick(item.trigger)) settled.expiredHour = hour;
    const ended = isReported
      ? { ended: endedPlan(item.trigger, { kind: 'nothing' }, now), events: [] }
      : { ended: endedJob(item.trigger, result, now), events: outcome.events };
    add(settled, item, { ...ended, context: outcome.context });
    return;
  }
  settled.usage.invocations += 1;
  settled.usage.computeMs += computeTime(result.ms);
  add(settled, item, {
    run: { outcome: result.errors.length > 0 ? 'failed' : 'ok', ms: result.ms },
    ended: endedJob(item.trigger, result, now),
    ...outcome,
  });
}
