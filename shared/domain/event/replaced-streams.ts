import type { StreamName } from './stream.ts';

/** A custom stream of an emitter. */
export interface CustomStream {
  name: StreamName;
  /** Number of its readable events. */
  events: number;
  /** Time of its first event, epoch ms. */
  since: number;
}

interface ReplacementInput {
  /** The streams that the emitter has and that get no event now. */
  others: readonly CustomStream[];
  /** Number of the streams that the emitter has and that get events now. */
  used: number;
  /** The new streams, in the order of their first events. */
  fresh: readonly CustomStream[];
  limit: number;
}

/**
 * The streams that lose their places, in order. Each stream beyond the limit takes the place of an empty one, else of
 * the one with the fewest events, the oldest first. Streams that get events now keep theirs; of the new ones, later
 * ones may push out earlier ones.
 */
export function replacedStreams({ others, used, fresh, limit }: ReplacementInput): CustomStream[] {
  const placed = new Set<CustomStream>();
  const replaced: CustomStream[] = [];
  const leaving = others.toSorted(byLeast).values();
  let next = leaving.next().value;
  let excess = used + others.length - limit;
  const free = () => {
    for (; excess > 0; excess -= 1) {
      const least = leastOf(placed);
      const isOther = next !== undefined && (least === undefined || byLeast(next, least) < 0);
      const victim = isOther ? next : least;
      if (victim === undefined) return;
      if (isOther) next = leaving.next().value;
      else placed.delete(victim);
      replaced.push(victim);
    }
  };
  free();
  for (const stream of fresh) {
    excess += 1;
    free();
    placed.add(stream);
  }
  return replaced;
}

const byLeast = (a: CustomStream, b: CustomStream): number => a.events - b.events || a.since - b.since;

function leastOf(streams: Iterable<CustomStream>): CustomStream | undefined {
  let least: CustomStream | undefined;
  for (const stream of streams) if (least === undefined || byLeast(stream, least) < 0) least = stream;
  return least;
}
