import type { Emitter } from '../../store/emitters.ts';
import { deleteEvents, type DeletionServices, purge } from './deletion.ts';
import { carryOutLifecycle } from './lifecycle.ts';
import { carryOutRuns } from './execute-runs.ts';
import type { RunReceived } from './plan.ts';
import { type Group, isDone, type Received } from './received-trigger.ts';

/** How far a group was carried out; what is left is to be received again. */
export interface GroupResult {
  carriedOut: number;
  /** Why it did not get further; without one, time ran out or the runner began no more. */
  error?: unknown;
}

/**
 * The one writer of everything an emitter owns: carries out its triggers in order. Every step may run twice, and then overwrites itself;
 * what was carried out is safe to acknowledge.
 */
export async function execute(services: DeletionServices, group: Group): Promise<GroupResult> {
  let carriedOut = 0;
  try {
    while (carriedOut < group.received.length) {
      if (carriedOut > 0 && !group.mayStart(services.limits.runTimeoutMs)) break;
      const emitter = await services.emitters.load(group.emitterId);
      const done = await executeNext(services, group, emitter, group.received.slice(carriedOut));
      if (done === 0) break;
      carriedOut += done;
    }
    return { carriedOut };
  } catch (error) {
    return { carriedOut, error };
  }
}

/** Carries out the first of the triggers, or as many as share one invocation of the runner; answers how many. */
async function executeNext(
  services: DeletionServices,
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
      await services.holding.release(trigger.emitterId, trigger.held);
    return 1;
  }
  switch (trigger.kind) {
    case 'run':
    case 'emit':
      return (await carryOutRuns(services, { group, emitter, received: runsFrom(left) })).carriedOut;
    case 'lifecycle':
      await carryOutLifecycle(services, { group, emitter, received: { ...received, trigger } });
      return 1;
    case 'delete-events':
      await deleteEvents(services, { group, emitter, received: { ...received, trigger } });
      return 1;
    case 'purge':
      await purge(services, { group, emitter, received: { ...received, trigger } });
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
