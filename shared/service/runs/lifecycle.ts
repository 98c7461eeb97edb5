import { computeTime } from '../../domain/compute-time.ts';
import type { ErrorContext } from '../../domain/error-event.ts';
import type { LifecycleTrigger } from '../../domain/message.ts';
import { lastLines, wordingOf } from '../../domain/failure-report.ts';
import type { HookFailure, HookName, PendingRevision, Source } from '../../domain/source.ts';
import type { DedupeState } from '../../domain/dedupe.ts';
import type { SourceStore } from '../../store/sources.ts';
import type { Emitter, EmitterState } from '../../store/emitters.ts';
import { startedResult, hookTimeout } from './started.ts';
import type { Commit } from './commit.ts';
import { CRASHED, type JobRunner } from './run-jobs.ts';
import { outcomeOf, type PlannedEvent } from './run-outcome.ts';
import { errorContextOf } from './error-context.ts';
import type { SourceTimers } from '../timers/source-timers.ts';
import type { Group, Received } from './received-trigger.ts';

export interface LifecycleContext {
  sources: Pick<SourceStore, 'startHook' | 'swap' | 'fail'>;
  timers: SourceTimers;
  runJobs: JobRunner;
  commit: Commit;
  now(): number;
}

export interface LifecycleReceived extends Received {
  trigger: LifecycleTrigger;
}

/** What hooks, one after the other, have made. */
interface Progress {
  db: string;
  /** Of the hook that changed the db last. */
  dbContext?: ErrorContext;
  dedupe: DedupeState;
  events: PlannedEvent[];
  computeMs: number;
  invocations: number;
  /** Why the source cannot become what it was to be. */
  failure?: HookFailure;
}

/**
 * Carries out the pending revision: hooks, then timers, then the swap, which is what a waiting caller sees. Whether that is still to be done
 * is the revision's own matter: one that is no longer pending was carried out. One that had begun when its source was deleted is carried out
 * to its end, as if the deletion had come behind it; another one is dropped.
 */
export async function executeLifecycle(
  context: LifecycleContext,
  { group, emitter, received }: { group: Group; emitter: Emitter; received: LifecycleReceived },
): Promise<EmitterState | undefined> {
  const { trigger, firstReceivedAt, sequence } = received;
  const { source, state } = emitter;
  const pending = source?.pending;
  if (!source || pending?.revision !== trigger.revision) return state;
  if (source.state === 'deleting' && pending.hook === undefined) return state;

  const progress = await runHooks(context, { source, pending, received, emitter, group });
  if (!progress) return state;
  const saved = await context.commit({
    emitterId: source.id,
    ownerId: source.ownerId,
    state,
    planned: [{ triggerId: trigger.id, firstMs: firstReceivedAt, hops: 0, events: progress.events }],
    dedupe: progress.dedupe,
    db: progress.dbContext && {
      given: emitter.db,
      left: progress.db,
      now: emitter.db,
      context: progress.dbContext,
    },
    usage: { invocations: progress.invocations, computeMs: progress.computeMs },
    changes: { done: { queue: group.queue, sequence } },
  });
  await settle(context, source, pending, progress.failure);
  return saved;
}

/** Undefined when they are not to run any more. */
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

/** Runs one hook and adds what it made; answers why it failed. */
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
  // What is to be taken down was put up by the old code.
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
  });
  const { result, obstacle } = startedResult(results.get(id), received);
  // All hooks run again then: one that follows another is not told from one that never ran.
  if (!result) throw obstacle ?? hookTimeout(hook);
  const now = context.now();
  const outcome = outcomeOf({
    context: errorContextOf(source, { id, at: trigger.at, cause: 'hook' }, JSON.stringify({ hook })),
    traits,
    result,
    dedupe: progress.dedupe,
    now,
    errorCode: 'hook_failed',
  });
  // Equal emits of two hooks are told apart as they would be within one.
  progress.events.push(...outcome.events.map((event) => named(hook, event)));
  progress.dedupe = outcome.dedupe;
  if (result.db !== undefined) {
    progress.db = result.db;
    progress.dbContext = outcome.context;
  }
  progress.invocations += 1;
  progress.computeMs += computeTime(result.ms);
  const failure = result.state === 'ended' ? result.failure : CRASHED;
  return failure && { hook, message: wordingOf(failure), lines: lastLines(result.logs) };
}

const named = (hook: HookName, event: PlannedEvent): PlannedEvent =>
  event.identity === undefined ? event : { ...event, identity: `${hook}-${event.identity}` };

/** Timers first: a swap whose timer never came would leave a source that looks well and does nothing. */
async function settle(
  { sources, timers, now }: LifecycleContext,
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
  if (failure === undefined) await sources.swap(source, pending);
  else await sources.fail(source, pending, failure);
}
