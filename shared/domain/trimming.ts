/** A stream shows its last 100 events, whatever is stored. */
export const KEPT_EVENTS = 100;
/** How far storage may grow beyond that before it is looked at: one look then pays for this many events. */
export const SLACK = 50;
/** How many streams of an emitter have a counter; one beyond has none and is looked at whenever it is written. */
const COUNTED_STREAMS = 12;

/** Per stream, about how many events are stored. Only a hint when to look: a rerun counts twice. */
export type StreamCounts = Readonly<Record<string, number>>;

/** Whether the stream is to be trimmed while so many events are added. */
export function isTrimDue(counts: StreamCounts, stream: string, adding: number): boolean {
  const count = Object.hasOwn(counts, stream) ? counts[stream] : undefined;
  if (count === undefined) return adding > SLACK || Object.keys(counts).length >= COUNTED_STREAMS;
  return count + adding > KEPT_EVENTS + SLACK;
}

/** The stored keys that leave, given all of them from the newest on, and the newer ones that are about to be added. */
export function leaving<Key extends { id: string }>(
  stored: readonly Key[],
  adding: ReadonlySet<string>,
): Key[] {
  const older = stored.filter(({ id }) => !adding.has(id));
  return older.slice(Math.max(KEPT_EVENTS - adding.size, 0));
}

/** The counters after events were added to streams, some of which were trimmed to what they show. */
export function countAdded(
  counts: StreamCounts,
  added: ReadonlyMap<string, number>,
  trimmed: ReadonlyMap<string, number>,
): StreamCounts {
  const next = new Map(Object.entries(counts));
  for (const [stream, adding] of added) {
    const exact = trimmed.get(stream);
    if (exact !== undefined && next.has(stream)) next.set(stream, exact);
    else if (next.has(stream)) next.set(stream, (next.get(stream) ?? 0) + adding);
    else if (next.size < COUNTED_STREAMS) next.set(stream, exact ?? adding);
  }
  return Object.fromEntries(next);
}
