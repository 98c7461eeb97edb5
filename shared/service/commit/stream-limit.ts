import { MAX_STREAMS } from '../../domain/limits.ts';
import { OWN_STREAMS, type StreamName } from '../../domain/event/stream.ts';
import { type CustomStream, replacedStreams } from '../../domain/event/replaced-streams.ts';
import { counterOf, KEPT_EVENTS } from '../../domain/event/trimming.ts';
import type { EmitterId } from '../../domain/id.ts';
import { dayOf } from '../../domain/user/user.ts';
import type { EmitterState } from '../../store/emitters/emitters.ts';
import type { EventStore } from '../../store/events/events.ts';
import { settleAll } from '../../lib/settle-all.ts';
import { errorEventOf, ourError } from './planned-event.ts';
import type { CommitInput } from './commit-context.ts';
import { withReport } from './report-db-error.ts';

/** The changes that the events of a commit make to the streams of their emitter. */
export interface StreamChanges {
  /** Streams without a recorded name: it is recorded before their events are stored. */
  fresh: readonly CustomStream[];
  /** Streams that lose their streamChanges to them, with their events. */
  replaced: readonly CustomStream[];
  /** New streams that lost their streamChanges to others of this commit: their events are delivered and not stored. */
  unstored: ReadonlySet<StreamName>;
  /** Streams of the commit that have no counter in the state. */
  uncounted: ReadonlyMap<StreamName, CustomStream>;
}

const NO_CHANGE: StreamChanges = { fresh: [], replaced: [], unstored: new Set(), uncounted: new Map() };

/**
 * Finds streamChanges for new streams. Emitters with few streams have a counter for each of them in their state, so
 * that only a new or a thirteenth stream costs a read. A repeated commit finds the same streamChanges, unless they were
 * changed by then.
 */
export async function streamChangesFor(
  events: Pick<EventStore, 'customStreams'>,
  { emitterId, state: { counts } }: { emitterId: EmitterId; state: Pick<EmitterState, 'counts'> },
  added: ReadonlyMap<StreamName, number>,
  now: number,
): Promise<StreamChanges> {
  const countOf = (stream: StreamName) => counterOf(counts, stream) ?? 0;
  const unsure = [...added.keys()].filter((stream) => countOf(stream) === 0 && !OWN_STREAMS.includes(stream));
  if (unsure.length === 0) return NO_CHANGE;
  const known = new Map((await events.customStreams(emitterId)).map((stream) => [stream.name, stream]));
  // A crash between the removal of a stream and the save of the state left its counter.
  const nameless = Object.keys(counts)
    .filter((name) => countOf(name) > 0 && !OWN_STREAMS.includes(name) && !known.has(name))
    .map((name) => ({ name, events: Math.min(countOf(name), KEPT_EVENTS), since: now }));
  for (const stream of nameless) known.set(stream.name, stream);
  const fresh = unsure
    .filter((name) => !known.has(name))
    .map((name) => ({ name, events: Math.min(added.get(name) ?? 0, KEPT_EVENTS), since: now }));
  const others = [...known.values()]
    .filter(({ name }) => !added.has(name))
    .map((stream) => ({ ...stream, events: countOf(stream.name) || stream.events }));
  const gone = new Set(replacedStreams({ others, used: known.size - others.length, fresh, limit: MAX_STREAMS }));
  return {
    fresh: [...nameless, ...fresh.filter((stream) => !gone.has(stream))],
    replaced: others.filter((stream) => gone.has(stream)),
    unstored: new Set(fresh.filter((stream) => gone.has(stream)).map(({ name }) => name)),
    uncounted: new Map(unsure.flatMap((name) => known.get(name) ?? []).map((stream) => [stream.name, stream])),
  };
}

/** Adds one event a day that names a stream whose events go. */
export function withStreamReport(
  work: CommitInput,
  { replaced, unstored }: Pick<StreamChanges, 'replaced' | 'unstored'>,
  now: number,
): CommitInput {
  const today = dayOf(now);
  const last = work.planned.at(-1);
  const [first, ...others] = [...replaced.filter(({ events }) => events > 0).map(({ name }) => name), ...unstored];
  if (first === undefined || !last || work.state.streamDay === today) return work;
  const more = others.length === 0 ? '' : ` and ${others.length} others`;
  const error = ourError(
    'too_many_streams',
    `The emitter had more than ${MAX_STREAMS} streams. So stream ${first}${more}, which had the fewest events, went with its stored events. ` +
      'Emit on fewer streams, and put what varies into the event.',
  );
  const report = { ...errorEventOf(last.context, error, now), identity: 'too-many-streams' };
  return { ...withReport(work, report), changes: { ...work.changes, streamDay: today } };
}

/** Streams that lose their events at the same time. */
const AT_ONCE = 8;

/** Removes streams with their events. Returns the bytes of these. */
export async function removeStreams(
  events: Pick<EventStore, 'remove' | 'forgetStreams'>,
  emitterId: EmitterId,
  streams: readonly Pick<CustomStream, 'name'>[],
): Promise<number> {
  let removedBytes = 0;
  for (let at = 0; at < streams.length; at += AT_ONCE) {
    await settleAll(
      streams.slice(at, at + AT_ONCE).map(async ({ name }) => {
        const { bytes } = await events.remove(emitterId, name, () => true);
        removedBytes += bytes;
      }),
    );
  }
  await events.forgetStreams(
    emitterId,
    streams.map(({ name }) => name),
  );
  return removedBytes;
}
