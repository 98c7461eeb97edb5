import { MAX_STREAMS } from '../../domain/limits.ts';
import { OWN_STREAMS, type StreamName } from '../../domain/event/stream.ts';
import type { EmitterId } from '../../domain/id.ts';
import type { EmitterState } from '../../store/emitters.ts';
import type { EventStore } from '../../store/events.ts';
import type { Planned } from './number-events.ts';
import { errorEventOf, ourError } from '../runs/run-outcome.ts';

interface StreamWork {
  emitterId: EmitterId;
  state: Pick<EmitterState, 'counts'>;
}

/**
 * Records the names of new streams, and returns those beyond the limit, which must not be stored. Emitters with few streams have all of
 * them in their state, so that only a new or a thirteenth stream costs a read.
 */
export async function refusedStreams(
  events: Pick<EventStore, 'streams' | 'addStreams'>,
  { emitterId, state }: StreamWork,
  streams: ReadonlySet<StreamName>,
): Promise<ReadonlySet<StreamName>> {
  const unsure = [...streams].filter(
    (stream) => !Object.hasOwn(state.counts, stream) && !OWN_STREAMS.includes(stream),
  );
  if (unsure.length === 0) return new Set();
  const known = new Set(await events.streams(emitterId));
  const fresh = unsure.filter((stream) => !known.has(stream));
  const free = Math.max(MAX_STREAMS - (known.size - OWN_STREAMS.length), 0);
  await events.addStreams(emitterId, fresh.slice(0, free));
  return new Set(fresh.slice(free));
}

/** Adds one `too_many_streams` event to each trigger that emitted on a refused stream. */
export function withStreamErrors(
  planned: readonly Planned[],
  refused: ReadonlySet<StreamName>,
  now: number,
): readonly Planned[] {
  if (refused.size === 0) return planned;
  return planned.map((trigger) => {
    const dropped = trigger.events.filter(({ stream }) => refused.has(stream));
    const [first] = dropped;
    if (!first) return trigger;
    const error = ourError(
      'too_many_streams',
      `An emitter may have at most ${MAX_STREAMS} streams. Dropped events of this run: ${dropped.length}, the first one for ` +
        `stream ${first.stream}. Emit on an existing stream, and put what varies into the event.`,
    );
    const report = { ...errorEventOf(trigger.context, error, now), identity: 'too-many-streams' };
    return { ...trigger, events: [...trigger.events, report] };
  });
}
