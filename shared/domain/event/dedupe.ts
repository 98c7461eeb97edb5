import { createHash } from 'node:crypto';

export type DedupeStrategy = 'unique' | 'greatest' | 'last';

export interface DedupeState {
  /** `unique`: hashes of the last 100 emitted ids, eight bytes each, oldest first. Notices have more. */
  ids: Uint8Array;
  /** `greatest`: the largest id so far, as text. */
  greatest?: string | undefined;
  /** `last`: hash of the newest id of the previous run. */
  last?: string | undefined;
}

export interface Dedupable {
  id?: string | number | undefined;
  /** Epoch ms. */
  ts?: number | undefined;
}

export interface Deduped<E> {
  /** Oldest first. */
  emitted: E[];
  /** Emitted without comparison: no id, or with `greatest` no numeric id. */
  withoutId: E[];
  /**
   * With `greatest`: dropped because an event before it in this run has a greater id, though no earlier run had one.
   */
  overtaken?: E[];
  state: DedupeState;
}

export const NOTHING_REMEMBERED: DedupeState = { ids: new Uint8Array(0) };

const REMEMBERED_IDS = 100;
const HASH_BYTES = 8;

const hashOf = (id: string | number): Buffer =>
  createHash('sha256').update(String(id)).digest().subarray(0, HASH_BYTES);

/** Sorts by `ts`, oldest first; emits without `ts` come last. The sort is stable. */
const byTime = <E extends Dedupable>(emits: readonly E[]): E[] =>
  emits.every(({ ts }) => ts === undefined)
    ? [...emits]
    : [...emits].sort((a, b) => {
        const left = a.ts ?? Number.POSITIVE_INFINITY;
        const right = b.ts ?? Number.POSITIVE_INFINITY;
        return left === right ? 0 : left - right;
      });

const hasId = ({ id }: Dedupable) => id !== undefined && id !== '';

/** The new emits of one run, oldest first, and the next state. */
export function dedupe<E extends Dedupable>(
  strategy: DedupeStrategy | undefined,
  state: DedupeState,
  emits: readonly E[],
): Deduped<E> {
  const sorted = byTime(emits);
  switch (strategy) {
    case undefined:
      return { emitted: sorted, withoutId: [], state };
    case 'unique':
      return unique(state, sorted);
    case 'greatest':
      return greatest(state, sorted);
    case 'last':
      return last(state, sorted);
  }
}

/** `most`: ids that are remembered. */
export function unique<E extends Dedupable>(
  state: DedupeState,
  sorted: readonly E[],
  most = REMEMBERED_IDS,
): Deduped<E> {
  const remembered: string[] = hashesOf(state.ids);
  const known = new Set(remembered);
  const emitted: E[] = [];
  const withoutId: E[] = [];
  for (const emit of sorted) {
    if (emit.id === undefined || emit.id === '') {
      withoutId.push(emit);
      emitted.push(emit);
      continue;
    }
    const hash = hashOf(emit.id).toString('hex');
    if (known.has(hash)) continue;
    emitted.push(emit);
    known.add(hash);
    remembered.push(hash);
    // First in, first out: an id that was removed counts as new again.
    if (remembered.length > most) known.delete(remembered.shift() ?? '');
  }
  return { emitted, withoutId, state: { ...state, ids: bytesOf(remembered) } };
}

const hashesOf = (ids: Uint8Array): string[] => {
  const text = Buffer.from(ids).toString('hex');
  return text.match(/.{16}/g) ?? [];
};

const bytesOf = (hashes: readonly string[]): Uint8Array => new Uint8Array(Buffer.from(hashes.join(''), 'hex'));

/** Whole numbers are compared as BigInt, so that ids beyond 2^53 are exact. */
function isGreater(left: string, right: string): boolean {
  const whole = /^-?\d+$/;
  if (whole.test(left) && whole.test(right)) return BigInt(left) > BigInt(right);
  return Number(left) > Number(right);
}

/** A finite number has at most 309 digits; more characters are zeros, and each comparison would read them. */
const LONGEST_NUMBER = 400;

function isNumeric(id: string | number | undefined): boolean {
  const text = String(id ?? '');
  return text.length <= LONGEST_NUMBER && text.trim() !== '' && Number.isFinite(Number(text));
}

function greatest<E extends Dedupable>(state: DedupeState, sorted: readonly E[]): Deduped<E> {
  let most = state.greatest;
  const overtaken: E[] = [];
  const emitted: E[] = [];
  const withoutId: E[] = [];
  for (const emit of sorted) {
    if (!isNumeric(emit.id)) {
      withoutId.push(emit);
      emitted.push(emit);
      continue;
    }
    const id = String(emit.id).trim();
    if (most !== undefined && !isGreater(id, most)) {
      const isNew = state.greatest === undefined || isGreater(id, state.greatest);
      if (isNew && isGreater(most, id)) overtaken.push(emit);
      continue;
    }
    most = id;
    emitted.push(emit);
  }
  return { emitted, withoutId, overtaken, state: { ...state, greatest: most } };
}

function last<E extends Dedupable>(state: DedupeState, sorted: readonly E[]): Deduped<E> {
  const hashes = sorted.map((emit) => (hasId(emit) ? hashOf(emit.id ?? '').toString('hex') : undefined));
  const found = state.last === undefined ? -1 : hashes.lastIndexOf(state.last);
  const newest = hashes.findLast((hash) => hash !== undefined);
  return {
    emitted: sorted.filter((_, index) => hashes[index] === undefined || index > found),
    withoutId: sorted.filter((_, index) => hashes[index] === undefined),
    state: { ...state, last: newest ?? state.last },
  };
}

/**
 * Merges the states of two overlapping runs, so that both remember the ids of the other. Overlapping runs may emit a
 * duplicate, but never suppress a new event.
 */
export function mergeDedupe(saved: DedupeState, added: DedupeState): DedupeState {
  const all = [...new Set([...hashesOf(saved.ids), ...hashesOf(added.ids)])];
  const most =
    saved.greatest !== undefined && added.greatest !== undefined
      ? isGreater(saved.greatest, added.greatest)
        ? saved.greatest
        : added.greatest
      : (added.greatest ?? saved.greatest);
  return {
    // The emitter of notices remembers more.
    ids: bytesOf(all.slice(-Math.max(REMEMBERED_IDS, saved.ids.length / HASH_BYTES))),
    greatest: most,
    last: added.last ?? saved.last,
  };
}
