import type { DeleteEventsTrigger, LifecycleTrigger, PurgeTrigger } from '../../domain/message.ts';
import type { Emitter, EmitterStore } from '../../store/emitters.ts';
import type { DelayedEmits } from './delayed-emits.ts';
import type { RunReceived } from './plan.ts';
import { type Group, isDone, type Received } from './received-trigger.ts';

/** How far a group was carried out; what is left is to be received again. */
export interface GroupResult {
  completed: number;
  /** Why it did not get further; without one, time ran out or the runner began no more. */
  error?: unknown;
}

/** A trigger of one kind, with the emitter as it was loaded. */
interface Step<Trigger> {
  group: Group;
  emitter: Emitter;
  received: Received & { trigger: Trigger };
}

export interface ExecuteGroupContext {
  emitters: Pick<EmitterStore, 'load'>;
  delayedEmits: Pick<DelayedEmits, 'complete'>;
  runTimeoutMs: number;
  executeRuns(runs: {
    group: Group;
    emitter: Emitter;
    received: readonly RunReceived[];
  }): Promise<{ completed: number }>;
  executeLifecycle(step: Step<LifecycleTrigger>): Promise<unknown>;
  executeDeletion(step: Step<DeleteEventsTrigger>): Promise<unknown>;
  executePurge(step: Step<PurgeTrigger>): Promise<void>;
}

/**
 * The one writer of everything an emitter owns: carries out its triggers in order. Every step may run twice, and then overwrites itself;
 * what was carried out is safe to acknowledge.
 */
export async function executeGroup(context: ExecuteGroupContext, group: Group): Promise<GroupResult> {
  let completed = 0;
  try {
    while (completed < group.received.length) {
      if (completed > 0 && !group.mayStart(context.runTimeoutMs)) break;
      const emitter = await context.emitters.load(group.emitterId);
      const done = await executeNext(context, group, emitter, group.received.slice(completed));
      if (done === 0) break;
      completed += done;
    }
    return { completed };
  } catch (error) {
    return { completed, error };
  }
}

/** Carries out the first of the triggers, or as many as share one invocation of the runner; answers how many. */
async function executeNext(
  context: ExecuteGroupContext,
  group: Group,
  emitter: Emitter,
  left: readonly Received[],
): Promise<number> {
  const [received] = left;
  if (!received) return 0;
  const { trigger } = received;
  // A revision knows by itself whether it was carried out.
  if (
    trigger.kind !== 'lifecycle' &&
    trigger.kind !== 'purge' &&
    isDone(emitter.state.done, group, received)
  ) {
    if (trigger.kind === 'emit' && trigger.held)
      await context.delayedEmits.complete(trigger.emitterId, trigger.held);
    return 1;
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
