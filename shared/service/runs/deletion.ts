import type { DeleteEventsTrigger, PurgeTrigger } from '../../domain/message.ts';
import { DELAYED_STREAM } from '../../domain/stream.ts';
import { KEPT_EVENTS } from '../../domain/trimming.ts';
import type { ListenerId, UserId } from '../../domain/id.ts';
import { isSourceId } from '../../domain/id.ts';
import type { Source } from '../../domain/source.ts';
import { type EventStore, isWithin } from '../../store/events.ts';
import type { SourceStore } from '../../store/sources.ts';
import type { Emitter, EmitterState, EmitterStore } from '../../store/emitters.ts';
import type { WorkflowStore } from '../../store/workflows.ts';
import { startedResult, hookTimeout } from './started.ts';
import type { SourceTimers } from '../timers/source-timers.ts';
import type { Commit } from './commit.ts';
import type { JobRunner } from './run-jobs.ts';
import { removeEvents, type RemoveEventsContext } from './remove-events.ts';
import type { Group, Received } from './received-trigger.ts';

export interface DeletionContext {
  events: Pick<EventStore, 'refs' | 'store'>;
  commit: Commit;
}

export interface PurgeContext {
  events: RemoveEventsContext['events'];
  bucket: RemoveEventsContext['bucket'];
  emitters: Pick<EmitterStore, 'remove'>;
  sources: Pick<SourceStore, 'confirmDeactivated' | 'remove'>;
  workflows: Pick<WorkflowStore, 'remove'>;
  subscriptions: { removeAllOf(id: ListenerId): Promise<void> };
  autoSubscriptions: { removeAllOf(ownerId: UserId, id: ListenerId): Promise<void> };
  timers: Pick<SourceTimers, 'stop'>;
  runJobs: JobRunner;
  /** One line, for a reader who asks what became of a trigger. */
  log(message: string, fields: Readonly<Record<string, string>>): void;
}

/** Removes what was stored within the ranges. What younger events had pushed out of view goes too: it must not come back into it. */
export async function executeDeletion(
  context: DeletionContext,
  {
    group,
    emitter,
    received,
  }: { group: Group; emitter: Emitter; received: Received & { trigger: DeleteEventsTrigger } },
): Promise<EmitterState | undefined> {
  const { emitterId, ownerId, ranges } = received.trigger;
  const { source, workflow, state } = emitter;
  if (source ? source.state === 'deleting' : !workflow || workflow.deleting) return state;
  for (const { stream, from, to } of ranges) {
    const refs = await context.events.refs(emitterId, stream, { consistent: true });
    const leaving = refs.filter(
      ({ id }, rank) => isWithin(id, from, to) || (rank >= KEPT_EVENTS && stream !== DELAYED_STREAM),
    );
    await context.events.store(emitterId, [], leaving);
  }
  return context.commit({
    emitterId,
    ownerId,
    state,
    planned: [],
    dedupe: state.dedupe,
    usage: { invocations: 0, computeMs: 0 },
    changes: { done: { queue: group.queue, sequence: received.sequence } },
  });
}

/** The last message of an emitter: everything that it owned goes, its tombstone at the end, so that what was interrupted is begun again. */
export async function executePurge(
  context: PurgeContext,
  {
    group,
    emitter,
    received,
  }: { group: Group; emitter: Emitter; received: Received & { trigger: PurgeTrigger } },
): Promise<void> {
  const { source, workflow } = emitter;
  const { emitterId } = received.trigger;
  const isTombstone = source ? source.state === 'deleting' : workflow?.deleting === true;
  if (!isTombstone) {
    if (source || workflow) context.log('purge.dropped', { emitter: emitterId });
    return;
  }
  if (source) {
    await deactivate(context, { group, source, db: emitter.db, received });
    await context.timers.stop(source.id);
  }
  const ownerId = (source ?? workflow)?.ownerId ?? received.trigger.ownerId;
  await context.subscriptions.removeAllOf(emitterId);
  await context.autoSubscriptions.removeAllOf(ownerId, emitterId);
  await removeEvents(context, emitterId);
  await context.emitters.remove(emitterId);
  if (isSourceId(emitterId)) await context.sources.remove(emitterId);
  else await context.workflows.remove(emitterId);
}

/** A source whose hook cannot be begun for so long (with growing pauses a quarter of an hour) goes without it. */
const TRIES_TO_DEACTIVATE = 10;

/** Its events and errors have no reader any more; its failure must not keep the source alive. */
async function deactivate(
  context: PurgeContext,
  { group, source, db, received }: { group: Group; source: Source; db: string; received: Received },
) {
  const { configuration, traits } = source;
  if (!configuration.active || source.generation === 0 || !traits.hooks.includes('deactivate')) return;
  const id = `purge-${source.id}`;
  const results = await context.runJobs({
    source,
    configuration,
    traits,
    db,
    jobs: [{ kind: 'hook', id, hook: 'deactivate' }],
    startBefore: group.startBefore,
  });
  const { result, obstacle } = startedResult(results.get(id), received);
  const isGivenUp = received.receiveCount >= TRIES_TO_DEACTIVATE;
  if (!result && !isGivenUp) throw obstacle ?? hookTimeout('deactivate');
  const code = result ? result.failure?.code : 'unavailable';
  if (code !== undefined) context.log('deactivate.failed', { source: source.id, code });
  await context.sources.confirmDeactivated(source.id);
}
