import type { EmitterId, UserId } from '../../domain/id.ts';
import { DELAYED_STREAM } from '../../domain/event/stream.ts';
import type { EmitterState } from '../../store/emitters/emitters.ts';
import type { EventStore } from '../../store/events/events.ts';
import type { RunRecordStore } from '../../store/emitters/run-records.ts';
import type { DelayedEmits } from './delayed-emits.ts';

export interface RemoveEventsContext {
  events: Pick<EventStore, 'streams' | 'remove' | 'forgetStreams'>;
  delayedEmits: Pick<DelayedEmits, 'cancel' | 'forget'>;
  runRecords: Pick<RunRecordStore, 'forget'>;
}

interface Emitter {
  emitterId: EmitterId;
  ownerId: UserId;
  state: Pick<EmitterState, 'counts'>;
}

/** Removes all events of a deleted emitter, on every stream, with their bodies, and the records of its runs. */
export async function removeEvents(context: RemoveEventsContext, emitter: Emitter): Promise<void> {
  const { events } = context;
  const { emitterId, state } = emitter;
  // A crash may have left a counted stream without its name.
  const streams = [...new Set([...(await events.streams(emitterId)), ...Object.keys(state.counts)])];
  for (const stream of streams) if (stream !== DELAYED_STREAM) await events.remove(emitterId, stream, () => true);
  await context.delayedEmits.cancel(emitter, () => true);
  await events.forgetStreams(emitterId, streams);
  await context.delayedEmits.forget(emitterId);
  await context.runRecords.forget(emitterId);
}
