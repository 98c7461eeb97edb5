import type { Bucket } from '../../aws/bucket.ts';
import type { EmitterId } from '../../domain/id.ts';
import { DELAYED_STREAM, type StreamName } from '../../domain/stream.ts';
import type { EventStore } from '../../store/events.ts';
import { delayedEmitKey } from '../../aws/object-keys.ts';

export interface RemoveEventsContext {
  events: Pick<EventStore, 'streams' | 'refs' | 'store' | 'forgetStreams'>;
  bucket: Pick<Bucket, 'delete'>;
}

/** Removes all events of a deleted emitter, on every stream, with their bodies. */
export async function removeEvents(context: RemoveEventsContext, emitterId: EmitterId): Promise<void> {
  const { events } = context;
  const streams = await events.streams(emitterId);
  for (const stream of streams) await removeStream(context, emitterId, stream);
  await events.forgetStreams(emitterId, streams);
}

async function removeStream(
  { events, bucket }: RemoveEventsContext,
  emitterId: EmitterId,
  stream: StreamName,
) {
  const refs = await events.refs(emitterId, stream, { consistent: true });
  if (stream === DELAYED_STREAM) {
    // Payloads too large for their schedule's input; deleting a missing object succeeds.
    for (const { id, body } of refs)
      if (body !== undefined) await bucket.delete(delayedEmitKey(emitterId, id));
  }
  await events.store(emitterId, [], refs);
}
