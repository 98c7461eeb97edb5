import { createHash } from 'node:crypto';
import { hasFairShare } from '../../lib/sharing/fair-share.ts';

/** A token, as the permits of its streams name it. */
export interface TokenUse {
  readonly hash: string;
  /** Streams at a time. */
  readonly maxStreams: number;
}

/** A live stream that a token opened, as its permit names it. */
interface TokenStream {
  /** The text of the permit. */
  readonly permit: string;
  readonly token: string;
  readonly address: string;
  readonly startedAt: number;
}

const HASH_LENGTH = 12;
const SEPARATOR = '~';

/** Permits name neither tokens nor addresses. */
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, HASH_LENGTH);

export const tokenUse = (token: string, maxStreams: number): TokenUse => ({
  hash: hashOf(token),
  maxStreams,
});

/** The end of the text of a permit: token, address and time of its stream. */
export const permitEnd = ({ hash }: TokenUse, { address, now }: { address: string; now: number }): string =>
  ['', hash, hashOf(address), now.toString(36)].join(SEPARATOR);

/** The streams of tokens, oldest first. */
function tokenStreamsIn(permits: Iterable<string>): TokenStream[] {
  const streams: TokenStream[] = [];
  for (const permit of permits) {
    const [, token, address, startedAt] = permit.split(SEPARATOR);
    if (token === undefined || address === undefined || startedAt === undefined) continue;
    streams.push({ permit, token, address, startedAt: parseInt(startedAt, 36) });
  }
  return streams.sort((a, b) => a.startedAt - b.startedAt || (a.permit < b.permit ? -1 : 1));
}

/** All tokens together have this part of a user's streams, but at least one. */
const limitOfTokens = (limit: number): number => Math.max(1, Math.floor(limit / 2));

/**
 * The permits of streams that end for a new stream of a token, whose permit is among `permits`. Undefined when the new
 * stream must not begin, because none may end for it. The result follows from the permits alone, so that requests at
 * the same moment agree.
 */
export function endedFor(
  { hash, maxStreams }: TokenUse,
  permits: ReadonlySet<string>,
  limit: number,
): string[] | undefined {
  const byToken = groupsOf(tokenStreamsIn(permits), ({ token }) => token);
  const own = byToken.get(hash) ?? [];
  byToken.delete(hash);
  const others = [...byToken.values()];
  const ofOthers = () => others.reduce((sum, { length }) => sum + length, 0);
  const ended: string[] = [];
  const endOwn = (): boolean => own.length > 1 && ended.push(endOne(own)) > 0;
  while (own.length > maxStreams) endOwn();
  const shared = limitOfTokens(limit);
  while (own.length + ofOthers() > shared) {
    const usedByOne = own.length - 1;
    const [most = []] = others.toSorted((a, b) => b.length - a.length);
    if (usedByOne < shared / 4 && most.length > Math.max(shared / 4, usedByOne + 1)) ended.push(endOne(most));
    else if (!endOwn()) return undefined;
  }
  if (ended.length > 0) return ended;
  const usedByOne = own.length - 1;
  const ofTokens = { limit: shared, usedByAll: usedByOne + ofOthers(), usedByOne };
  const ofAll = { limit, usedByAll: permits.size - 1, usedByOne };
  const mayGrow = hasFairShare(ofTokens, ofOthers() === 0) && hasFairShare(ofAll, permits.size === own.length);
  return mayGrow || endOwn() ? ended : undefined;
}

/** The permit of the token's stream that ends first; undefined if it has none. */
export function firstToEnd({ hash }: TokenUse, permits: ReadonlySet<string>): string | undefined {
  const own = tokenStreamsIn(permits).filter(({ token }) => token === hash);
  return own.length === 0 ? undefined : endOne(own);
}

/** Takes away the oldest stream of the address that has the most, and returns its permit. */
function endOne(streams: TokenStream[]): string {
  const [most = []] = [...groupsOf(streams, ({ address }) => address).values()].sort((a, b) => b.length - a.length);
  const [oldest] = most;
  if (!oldest) throw new TypeError('There is no stream to end');
  streams.splice(streams.indexOf(oldest), 1);
  return oldest.permit;
}

function groupsOf<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
