import { chainOf } from '../../domain/run/chain.ts';
import { computeTime } from '../../domain/run/compute-time.ts';
import type { ErrorContext } from '../../domain/run/error-event.ts';
import type { LifecycleTrigger } from '../../domain/run/message.ts';
import { lastLines, wordingOf } from '../../domain/run/failure-report.ts';
import type { HookFailure, PendingRevision, Source } from '../../domain/source/source.ts';
import { RESPONSE_WITHIN_MS } from '../../domain/time-limits.ts';
import type { HookName } from '../../domain/component/source-traits.ts';
import type { Notify } from '../../domain/notice/notice.ts';
import { failedNotice } from '../../domain/notice/source-notices.ts';
import type { DedupeState } from '../../domain/event/dedupe.ts';
import type { SourceStore } from '../../store/emitters/sources.ts';
import type { Emitter, EmitterState } from '../../store/emitters/emitters.ts';
import { startedResult, hookTimeout } from './started.ts';
import type { Commit } from '../commit/commit.ts';
import { lateEvents } from './late-work.ts';
import type { JobRunner } from './run-jobs.ts';
import { CRASHED } from './job-result.ts';
import { outcomeOf } from './run-outcome.ts';
import type { PlannedEvent } from '../commit/planned-event.ts';
import { errorContextOf } from './error-context.ts';
import type { SourceTimers } from '../timers/source-timers.ts';
import { doneAfter, type Group, hasWaitedForPermit, type Received } from '../../domain/run/received-trigger.ts';

export interface LifecycleContext {
  sources: Pick<SourceStore, 'startHook' | 'swap' | 'fail'>;
  timers: SourceTimers;
  runJobs: JobRunner;
  commit: Commit;
  notify: Notify;
  now(): number;
}

export interface LifecycleReceived extends Received {
  trigger: LifecycleTrigger;
}

/** The accumulated results of the hooks of one revision. */
interface Progress {
  db: string;
  /** Context of the last hook that changed the db. */
  dbContext?: ErrorContext;
  dedupe: DedupeState;
  events: PlannedEvent[];
  /** About late work; they come last. */
  lateEvents: PlannedEvent[];
  computeMs: number;
  invocations: number;
  /** Error of the failed revision. */
  failure?: HookFailure;
}

/**
 * Executes the pending revision: hooks, then timers, then the swap that a waiting caller polls for. A revision that is
 * no longer pending was executed before. When the source is deleted, a revision whose hooks have started completes
 * first; any other is dropped.
 */
export async function executeLifecycle(
  context: LifecycleContext,
  { group, emitter, received }: { group: Group; emitter: Emitter; received: LifecycleReceived },
): Promise<EmitterState | undefined> {
  const { trigger, firstReceivedAt } = received;
  const { source, state } = emitter;
  const pending = source?.pending;
  if (!source || pending?.revision !== trigger.revision) return state;
  if (source.state === 'deleting' && pending.hook === undefined) return state;

  const progress = await runHooks(context, { source, pending, received, emitter, group });
  if (!progress) return state;
  const saved = await context.commit({
    batch: group.batch,
    emitterId: source.id,
    ownerId: source.ownerId,
    state,
    planned: [
      {
        triggerId: trigger.id,
        firstMs: firstReceivedAt,
        chain: chainOf({ id: trigger.id, hops: 0 }),
        run: { outcome: progress.failure ? 'failed' : 'ok', ms: progress.computeMs },
        context: errorContextOf(source, { id: trigger.id, at: trigger.at, cause: 'hook' }, () => '{}'),
        events: [...progress.events, ...progress.lateEvents],
      },
    ],
    dedupe: progress.dedupe,
    db: progress.dbContext && {
      before: emitter.db,
      after: progress.db,
      current: emitter.db,
      context: progress.dbContext,
    },
    usage: { invocations: progress.invocations, computeMs: progress.computeMs },
    changes: doneAfter(group, received),
  });
  await settle(context, source, pending, progress.failure);
  return saved;
}

/** Undefined when the revision is no longer pending. */
async function runHooks(
  context: LifecycleContext,
  {
    source,
    pending,
    received,
    emitter,
    group,
  }: {
    source: Source;
    pending: PendingRevision;
    received: LifecycleReceived;
    emitter: Emitter;
    group: Group;
  },
): Promise<Progress | undefined> {
  const progress: Progress = {
    db: emitter.db,
    dedupe: emitter.state.dedupe,
    events: [],
    lateEvents: [],
    computeMs: 0,
    invocations: 0,
  };
  for (const hook of pending.hooks) {
    if (!(await context.sources.startHook(source, pending, hook))) return undefined;
    const failure = await runHook(context, { source, pending, hook, received, progress, group });
    if (failure === undefined || hook === 'deactivate') continue;
    progress.failure = failure;
    break;
  }
  return progress;
}

/** Runs one hook and adds its results to `progress`. Returns the reason when the hook failed. */
async function runHook(
  context: LifecycleContext,
  {
    source,
    pending,
    hook,
    received,
    progress,
    group,
  }: {
    source: Source;
    pending: PendingRevision;
    hook: HookName;
    received: LifecycleReceived;
    progress: Progress;
    group: Group;
  },
): Promise<HookFailure | undefined> {
  // `deactivate` must run with the code and configuration that ran `activate`.
  const { configuration, traits } = hook === 'deactivate' ? source : pending;
  const { trigger } = received;
  const id = `${trigger.id}-${hook}`;
  const results = await context.runJobs({
    source,
    configuration,
    traits,
    db: progress.db,
    jobs: [{ kind: 'hook', id, hook }],
    startBefore: group.startBefore,
    needsNoPermit: hasWaitedForPermit(received),
  });
  const { result, obstacle } = startedResult(results.get(id), received);
  // The retry repeats all hooks: the state does not record which of them ended.
  if (!result) throw obstacle ?? hookTimeout(hook);
  const now = context.now();
  const outcome = outcomeOf({
    context: errorContextOf(source, { id, at: trigger.at, cause: 'hook' }, () => JSON.stringify({ hook })),
    traits,
    result,
    dedupe: progress.dedupe,
    now,
    ...(result.state === 'refused' ? {} : { errorCode: 'hook_failed' }),
  });
  // The hook's name is part of the identity, so that equal events of two hooks get different emit ids.
  progress.events.push(...outcome.events.map((event) => named(hook, event)));
  progress.lateEvents.push(...lateEvents([result], now));
  progress.dedupe = outcome.dedupe;
  if (result.db !== undefined) {
    progress.db = result.db;
    progress.dbContext = outcome.context;
  }
  if (result.state === 'refused') return { hook, code: 'account_expired', message: result.failure?.message, lines: [] };
  progress.invocations += 1;
  progress.computeMs += computeTime(result.ms);
  const failure = result.state === 'ended' ? result.failure : CRASHED;
  return failure && { hook, message: wordingOf(failure), lines: lastLines(result.logs) };
}

const named = (hook: HookName, event: PlannedEvent): PlannedEvent =>
  event.identity === undefined ? event : { ...event, identity: `${hook}-${event.identity}` };

/** Starts the timer before the swap: the other order could leave an active source without a timer. */
async function settle(
  { sources, timers, notify, now }: LifecycleContext,
  source: Source,
  pending: PendingRevision,
  failure: HookFailure | undefined,
): Promise<void> {
  const { configuration, traits } = pending;
  if (failure === undefined && configuration.active && traits.timer) {
    const anchor = now();
    await timers.start({
      sourceId: source.id,
      ownerId: source.ownerId,
      generation: source.generation + 1,
      anchor,
      timer: traits.timer,
    });
    await sources.swap(source, pending, anchor);
    return;
  }
  if (source.timerAnchor !== undefined) await timers.stop(source.id);
  if (failure === undefined) return void (await sources.swap(source, pending));
  const hasFailed = await sources.fail(source, pending, failure);
  // A process that dies before the next line loses the notice; the source shows its state all the same.
  if (hasFailed && !isCreateRequest(source, pending, now())) await notify(failedNotice(source, failure, now()));
}

/**
 * Whether the request that creates the source still waits for its hooks: its response tells the failure, and the source
 * is removed.
 */
const isCreateRequest = ({ state }: Source, { since }: PendingRevision, now: number): boolean =>
  (state === 'creating' || state === 'activating') && now - since < RESPONSE_WITHIN_MS;
