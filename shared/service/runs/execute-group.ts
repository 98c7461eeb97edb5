import { isNoticesId } from '../../domain/notice/notices-emitter.ts';
import type {
  DeleteEventsTrigger,
  EmitTrigger,
  LifecycleTrigger,
  PurgeTrigger,
} from '../../domain/run/message.ts';
import { LAGGING_AFTER_MS, refusalMs } from '../../domain/run/lagging.ts';
import type { Emitter, EmitterStore } from '../../store/emitters.ts';
import type { DelayedEmits } from './delayed-emits.ts';
import type { RunReceived } from './plan.ts';
import { type Group, isDone, type Received } from './received-trigger.ts';

/** Number of completed triggers of a group; the others must be received again. */
export interface GroupResult {
  completed: number;
  /** Reason for the stop; absent when time ran out or the runner started no further job. */
  error?: unknown;
}

/** One trigger, with the loaded emitter. */
interface ExecuteInput<Trigger> {
  group: Group;
  emitter: Emitter;
  received: Received & { trigger: Trigger };
}

export interface ExecuteGroupContext {
  emitters: Pick<EmitterStore, 'load' | 'save'>;
  delayedEmits: Pick<DelayedEmits, 'complete'>;
  runTimeoutMs: number;
  now(): number;
  executeRuns(runs: {
    group: Group;
    emitter: Emitter;
    received: readonly RunReceived[];
  }): Promise<{ completed: number }>;
  executeNotices(notices: {
    group: Group;
    emitter: Emitter;
    received: readonly (Received & { trigger: EmitTrigger })[];
  }): Promise<void>;
  executeLifecycle(input: ExecuteInput<LifecycleTrigger>): Promise<unknown>;
  executeDeletion(input: ExecuteInput<DeleteEventsTrigger>): Promise<unknown>;
  executePurge(input: ExecuteInput<PurgeTrigger>): Promise<void>;
}

/**
 * Executes the triggers of one emitter in order; it is the only writer of everything the emitter owns. A repeated trigger overwrites its
 * own results. Completed triggers are safe to acknowledge.
 */
export async function executeGroup(context: ExecuteGroupContext, group: Group): Promise<GroupResult> {
  let completed = 0;
  let emitter: Emitter | undefined;
  try {
    while (completed < group.received.length) {
      if (completed > 0 && !group.mayStart(context.runTimeoutMs)) break;
      emitter = await context.emitters.load(group.emitterId);
      const done = await executeNext(context, group, emitter, group.received.slice(completed));
      if (done === 0) break;
      completed += done;
    }
    return { completed };
  } catch (error) {
    await refuseMeanwhile(context, emitter, group.received[completed]);
    return { completed, error };
  }
}

/**
 * A source whose late trigger is given back refuses further triggers until that one has come back. Otherwise they would gather behind it in
 * the queue, which looks for work only among its first 120,000 messages.
 */
async function refuseMeanwhile(
  { emitters, now }: ExecuteGroupContext,
  emitter: Emitter | undefined,
  next: Received | undefined,
): Promise<void> {
  const { source, state } = emitter ?? {};
  if (!source || !state || !next || now() - next.trigger.at <= LAGGING_AFTER_MS) return;
  const laggingUntil = now() + refusalMs(next.receiveCount);
  // Without this write only the limit of the queue's size is weaker; the error of the trigger tells the reason.
  await emitters.save({ emitterId: source.id, state: { ...state, laggingUntil } }).catch(() => undefined);
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
  // Lifecycle and purge triggers check by the source's state whether they are done.
  if (
    trigger.kind !== 'lifecycle' &&
    trigger.kind !== 'purge' &&
    isDone(emitter.state.done, group, received)
  ) {
    if (trigger.kind === 'emit' && trigger.delayedEventId)
      await context.delayedEmits.complete(trigger, trigger.delayedEventId);
    return 1;
  }
  if (isNoticesId(group.emitterId) && trigger.kind === 'emit') {
    const notices = emitsFrom(left);
    await context.executeNotices({ group, emitter, received: notices });
    return notices.length;
  }
  switch (trigger.kind) {
    case 'run':
    case 'emit':
      return (await context.executeRuns({ group, emitter, received: runsFrom(left) })).completed;
    case 'lifecycle':
      await context.executeLifecycle({ group, emitter, received: { ...received, trigger } });
      return 1;
    case 'delete-events':
      await context.executeDeletion({ group, emitter, received: { ...received, trigger } });
      return 1;
    case 'purge':
      await context.executePurge({ group, emitter, received: { ...received, trigger } });
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
