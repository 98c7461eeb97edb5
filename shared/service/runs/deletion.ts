import type { Bucket } from '../../aws/bucket.ts';
import { triggerPayloadsOf } from '../../aws/object-keys.ts';
import type { DeleteEventsTrigger, PurgeTrigger } from '../../domain/run/message.ts';
import { DELAYED_STREAM, OWN_STREAMS, type StreamName } from '../../domain/event/stream.ts';
import { KEPT_EVENTS } from '../../domain/event/trimming.ts';
import { isNoticesId } from '../../domain/notice/notices-emitter.ts';
import { type EmitterId, isSourceId, type ListenerId, type UserId } from '../../domain/id.ts';
import type { Source } from '../../domain/source/source.ts';
import { type EventStore, isWithin } from '../../store/events/events.ts';
import type { SourceStore } from '../../store/emitters/sources.ts';
import type { Emitter, EmitterState, EmitterStore } from '../../store/emitters/emitters.ts';
import type { WorkflowStore } from '../../store/emitters/workflows.ts';
import { startedResult, hookTimeout } from './started.ts';
import type { SourceTimers } from '../timers/source-timers.ts';
import type { Commit } from '../commit/commit.ts';
import type { DelayedEmits } from '../commit/delayed-emits.ts';
import type { JobRunner } from './run-jobs.ts';
import { forgetWaiting, type ForgetWaitingContext } from '../backlog/forget-waiting.ts';
import { removeEvents, type RemoveEventsContext } from '../commit/remove-events.ts';
import { doneAfter, type Group, hasWaitedForPermit, type Received } from '../../domain/run/received-trigger.ts';

export interface DeletionContext {
  events: Pick<EventStore, 'remove' | 'countStream' | 'forgetStreams'>;
  delayedEmits: Pick<DelayedEmits, 'cancel'>;
  commit: Commit;
}

export interface PurgeContext extends ForgetWaitingContext {
  events: RemoveEventsContext['events'];
  bucket: Pick<Bucket, 'list' | 'delete'>;
  delayedEmits: RemoveEventsContext['delayedEmits'];
  runRecords: RemoveEventsContext['runRecords'];
  emitters: Pick<EmitterStore, 'remove'>;
  sources: Pick<SourceStore, 'confirmDeactivated' | 'remove'>;
  workflows: Pick<WorkflowStore, 'remove'>;
  subscriptions: { removeAllOf(id: ListenerId): Promise<void> };
  autoSubscriptions: { removeAllOf(ownerId: UserId, id: ListenerId): Promise<void> };
  timers: Pick<SourceTimers, 'stop'>;
  runJobs: JobRunner;
  /** Writes one log line. */
  log(message: string, fields: Readonly<Record<string, string>>): void;
}

/**
 * Removes the events within the ranges, and events beyond the newest 100 of each stream: they must not become visible
 * again.
 */
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
  let removedBytes = 0;
  const left = new Map<StreamName, number>();
  if (source ? source.state === 'deleting' : !workflow || workflow.deleting) return state;
  for (const { stream, from, to } of ranges) {
    if (stream === DELAYED_STREAM) {
      await context.delayedEmits.cancel({ emitterId, ownerId }, ({ id }) => isWithin(id, from, to));
    } else {
      const removed = await context.events.remove(
        emitterId,
        stream,
        ({ id }, rank) => isWithin(id, from, to) || rank >= KEPT_EVENTS,
      );
      removedBytes += removed.bytes;
      left.set(stream, removed.left);
    }
  }
  await freeStreams(context, emitterId, left);
  return context.commit({
    emitterId,
    ownerId,
    state,
    planned: [],
    dedupe: state.dedupe,
    usage: { invocations: 0, computeMs: 0 },
    removedBytes,
    left,
    changes: doneAfter(group, received),
  });
}

/** Forgets the names of custom streams without events, so that new streams find a place. */
async function freeStreams(
  { events }: Pick<DeletionContext, 'events'>,
  emitterId: EmitterId,
  left: ReadonlyMap<StreamName, number>,
): Promise<void> {
  for (const [stream, count] of left)
    if (count > 0 && !OWN_STREAMS.includes(stream)) await events.countStream(emitterId, stream, count);
  await events.forgetStreams(
    emitterId,
    [...left].filter(([, count]) => count === 0).map(([stream]) => stream),
  );
}

/**
 * Executes the last message of an emitter: removes everything it owns. The tombstone goes last, so that an interrupted
 * purge restarts.
 */
export async function executePurge(
  context: PurgeContext,
  { group, emitter, received }: { group: Group; emitter: Emitter; received: Received & { trigger: PurgeTrigger } },
): Promise<void> {
  const { source, workflow } = emitter;
  const { emitterId } = received.trigger;
  const isTombstone = source ? source.state === 'deleting' : workflow?.deleting === true;
  // The emitter of notices has no item that could be a tombstone: it is purged with its user.
  if (!isTombstone && !isNoticesId(emitterId)) {
    if (source || workflow) context.log('purge.dropped', { emitter: emitterId });
    return;
  }
  if (source) {
    await deactivate(context, { group, source, db: emitter.db, received });
    await context.timers.stop(source.id);
    await forgetWaiting(context, source.id, { hasBacklog: emitter.backlog !== undefined });
  }
  const ownerId = (source ?? workflow)?.ownerId ?? received.trigger.ownerId;
  await context.subscriptions.removeAllOf(emitterId);
  await context.autoSubscriptions.removeAllOf(ownerId, emitterId);
  await removeEvents(context, { emitterId, ownerId, state: emitter.state });
  await removePayloads(context, { emitterId, ownerId });
  await context.emitters.remove(emitterId);
  if (isSourceId(emitterId)) await context.sources.remove(emitterId);
  else await context.workflows.remove(emitterId);
}

/** Removes the payloads of triggers that were set aside, or lost by a crash. The messages of its events keep theirs. */
async function removePayloads(
  { bucket }: PurgeContext,
  emitter: Parameters<typeof triggerPayloadsOf>[0],
): Promise<void> {
  for (const { key } of await bucket.list(triggerPayloadsOf(emitter))) await bucket.delete(key);
}

/**
 * Receive count after which a source is removed without its `deactivate` hook: about 15 minutes with the growing
 * backoff.
 */
const MAX_DEACTIVATE_RECEIVES = 10;

/** Runs the `deactivate` hook. Its events and errors are discarded, and its failure does not stop the deletion. */
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
    needsNoPermit: hasWaitedForPermit(received),
  });
  const { result, obstacle } = startedResult(results.get(id), received);
  const isGivenUp = received.receiveCount >= MAX_DEACTIVATE_RECEIVES;
  if (!result && !isGivenUp) throw obstacle ?? hookTimeout('deactivate');
  const code = result ? result.failure?.code : 'unavailable';
  if (code !== undefined) context.log('deactivate.failed', { source: source.id, code });
  await context.sources.confirmDeactivated(source.id);
}
