import { DELAYED_STREAM } from '../../domain/event/stream.ts';
import { DAY_MS } from '../../lib/durations.ts';
import type { EmitterState } from '../../store/emitters/emitters.ts';
import type { EventStore } from '../../store/events/events.ts';
import type { CommitInput } from './commit-context.ts';

/** Time until the next commit that recounts, after another writer changed the stored events at the same time. */
const RECOUNT_AFTER_CONFLICT_MS = 5_000;
const CONCURRENT_READS = 8;

type RecountedEvents = Pick<EventStore, 'streams' | 'refs'>;

/**
 * The bytes of the emitter's stored events, read from these; undefined when no recount is due. The running sum of the
 * state is wrong after a process died between a change of the events and the save of the state: then the trigger is
 * received again. A process that dies during a synchronous run leaves no trigger, so each emitter is also recounted
 * once a day.
 */
export async function recountedBytes(
  events: RecountedEvents,
  { emitterId, state, isRepeated = false }: Pick<CommitInput, 'emitterId' | 'state' | 'isRepeated'>,
  now: number,
): Promise<number | undefined> {
  const isDue = state.version > 0 && state.recountAt <= now;
  if (!isDue && !isRepeated) return undefined;
  // A crash may have left a counted stream without its name.
  const names = new Set([...(await events.streams(emitterId)), ...Object.keys(state.counts)]);
  names.delete(DELAYED_STREAM);
  const streams = [...names];
  let bytes = 0;
  for (let at = 0; at < streams.length; at += CONCURRENT_READS) {
    const reads = streams.slice(at, at + CONCURRENT_READS).map((stream) => events.refs(emitterId, stream));
    for (const ref of (await Promise.all(reads)).flat()) bytes += ref.bytes;
  }
  return bytes;
}

interface CountedBytes {
  addedBytes: number;
  removedBytes: number;
  recounted: number | undefined;
}

/**
 * The bytes of the state that is saved, and the time of its next recount. `state` was loaded before the change of the
 * events.
 */
export function bytesAfter(
  { state, current }: Record<'state' | 'current', EmitterState>,
  { addedBytes, removedBytes, recounted }: CountedBytes,
  now: number,
): Pick<EmitterState, 'bytes' | 'recountAt'> {
  // Another writer may have removed the same events: until the recount the sum may be too high, but not too low.
  if (current !== state)
    return {
      bytes: current.bytes + addedBytes,
      recountAt: Math.min(current.recountAt, now + RECOUNT_AFTER_CONFLICT_MS),
    };
  const isNew = recounted !== undefined || state.version === 0;
  return {
    bytes: recounted ?? Math.max(0, state.bytes + addedBytes - removedBytes),
    recountAt: isNew ? now + DAY_MS : state.recountAt,
  };
}
