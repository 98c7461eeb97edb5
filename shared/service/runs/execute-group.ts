import { releasePayload } from '../../aws/payloads.ts';
import { isNoticesId } from '../../domain/notice/notices-emitter.ts';
import type { EmitTrigger, ResetDedupeTrigger } from '../../domain/run/message.ts';
import { BEHIND_AFTER_MS } from '../../domain/run/backlog-limits.ts';
import type { Emitter, EmitterState } from '../../store/emitters/emitters.ts';
import { type DeletionContext, executeDeletion, executePurge, type PurgeContext } from './deletion.ts';
import { executeNotices, type NoticesContext } from './execute-notices.ts';
import { executeRuns, type ExecuteRunsContext } from './execute-runs.ts';
import { executeLifecycle, type LifecycleContext } from './lifecycle.ts';
import type { RunReceived } from './plan.ts';
import { type Group, type GroupResult, isDone, type Received, doneAfter } from '../../domain/run/received-trigger.ts';
import { NOTHING_REMEMBERED } from '../../domain/event/dedupe.ts';
import type { Commit } from '../commit/commit.ts';

export type ExecuteGroupContext = ExecuteRunsContext &
  NoticesContext &
  LifecycleContext &
  DeletionContext &
  PurgeContext;

/** Moves triggers to the source's backlog, if it has or needs one. */
export type MoveIfBehind = (input: { emitter: Emitter; received: readonly Received[] }) => Promise<number | undefined>;

/**
 * Executes the triggers of one emitter in order; it is the only writer of everything the emitter owns. A repeated
 * trigger overwrites its own results. Completed triggers are safe to acknowledge. `moveIfBehind` is absent for triggers
 * of a backlog.
 */
export async function executeGroup(
  context: ExecuteGroupContext,
  group: Group,
  moveIfBehind?: MoveIfBehind,
): Promise<GroupResult> {
  let completed = 0;
  try {
    while (completed < group.received.length) {
      if (completed > 0 && !group.mayStart(context.runTimeoutMs)) break;
      const emitter = await context.emitters.load(group.emitterId);
      const received = group.received.slice(completed);
      const moved = moveIfBehind ? await moveIfBehind({ emitter, received }) : 0;
      if (moved === undefined) continue;
      const own = moveIfBehind ? untilBehind(group, received) : group;
      const done = moved > 0 ? moved : await executeNext(context, own, emitter, received);
      if (done === 0) break;
      completed += done;
    }
    return { completed };
  } catch (error) {
    return { completed, error };
  }
}

/**
 * Triggers that have waited too long are moved, not run, so a batch of long runs starts none once the next trigger has.
 * Otherwise the queue would grow for the whole batch. Hooks start however old their trigger is.
 */
function untilBehind(group: Group, [first, next = first]: readonly Received[]): Group {
  if (!next || first?.trigger.kind !== 'run') return group;
  return { ...group, startBefore: Math.min(group.startBefore, next.sentAt + BEHIND_AFTER_MS) };
}

/** Executes the first trigger, or several that share one invocation of the runner. Returns how many were completed. */
async function executeNext(
  context: ExecuteGroupContext,
  group: Group,
  emitter: Emitter,
  left: readonly Received[],
): Promise<number> {
  const [received] = left;
  if (!received) return 0;
  const { trigger } = received;
  // Its source has no backlog.
  if (trigger.kind === 'drain') return 1;
  // Lifecycle and purge triggers check by the source's state whether they are done.
  if (trigger.kind !== 'lifecycle' && trigger.kind !== 'purge' && isDone(emitter.state.done, group, received)) {
    if (trigger.kind === 'emit' && trigger.delayedEventId)
      await context.delayedEmits.complete(trigger, trigger.delayedEventId);
    if ('payload' in trigger) await releasePayload(context.bucket, trigger.payload);
    return 1;
  }
  if (isNoticesId(group.emitterId) && trigger.kind === 'emit') {
    const notices = emitsFrom(left);
    await executeNotices(context, { group, emitter, received: notices });
    return notices.length;
  }
  switch (trigger.kind) {
    case 'run':
    case 'emit':
      return (await executeRuns(context, { group, emitter, received: runsFrom(left) })).completed;
    case 'lifecycle':
      await executeLifecycle(context, { group, emitter, received: { ...received, trigger } });
      return 1;
    case 'delete-events':
      await executeDeletion(context, { group, emitter, received: { ...received, trigger } });
      return 1;
    case 'reset-dedupe':
      await executeDedupeReset(context, { group, emitter, received: { ...received, trigger } });
      return 1;
    // Nothing waits before it: its source has no backlog, which drops what waits.
    case 'delete-triggers':
      return 1;
    case 'purge':
      await executePurge(context, { group, emitter, received: { ...received, trigger } });
      return 1;
  }
}

/** Runs and emits up to the first trigger of another kind. */
function runsFrom(left: readonly Received[]): RunReceived[] {
  const runs: RunReceived[] = [];
  for (const received of left) {
    const { trigger } = received;
    if (trigger.kind !== 'run' && trigger.kind !== 'emit') break;
    runs.push({ ...received, trigger });
  }
  return runs;
}

/** Emits up to the first trigger of another kind. */
function emitsFrom(left: readonly Received[]): (Received & { trigger: EmitTrigger })[] {
  const emits: (Received & { trigger: EmitTrigger })[] = [];
  for (const received of left) {
    const { trigger } = received;
    if (trigger.kind !== 'emit') break;
    emits.push({ ...received, trigger });
  }
  return emits;
}

/**
 * Begins the dedupe of a source anew. A synchronous run that began before the reset saves no earlier ids: they belong
 * to an earlier reset.
 */
async function executeDedupeReset(
  { commit }: { commit: Commit },
  {
    group,
    emitter: { source, state },
    received,
  }: { group: Group; emitter: Emitter; received: Received & { trigger: ResetDedupeTrigger } },
): Promise<EmitterState | undefined> {
  const { emitterId, ownerId } = received.trigger;
  if (!source || source.state === 'deleting') return state;
  return commit({
    emitterId,
    ownerId,
    state,
    planned: [],
    dedupe: NOTHING_REMEMBERED,
    usage: { invocations: 0, computeMs: 0 },
    changes: { ...doneAfter(group, received), dedupeResets: state.dedupeResets + 1 },
  });
}
