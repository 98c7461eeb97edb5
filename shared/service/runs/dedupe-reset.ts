import { NOTHING_REMEMBERED } from '../../domain/event/dedupe.ts';
import type { ResetDedupeTrigger } from '../../domain/run/message.ts';
import type { Emitter, EmitterState } from '../../store/emitters/emitters.ts';
import type { Commit } from '../commit/commit.ts';
import { doneAfter, type Group, type Received } from '../../domain/run/received-trigger.ts';

/**
 * Begins the dedupe of a source anew. A synchronous run that began before the reset saves no earlier ids: they belong
 * to an earlier reset.
 */
export async function executeDedupeReset(
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
