import type { ClientConnection } from './client-connection.ts';

export type Entry = 'entered' | 'late' | 'gone';

export interface EntryOptions {
  /** Longest wait. */
  withinMs: number;
  /** The wait ends when this client goes. */
  client?: ClientConnection | undefined;
}

type Start = (entry: Entry) => void;

/**
 * One piece of work at a time for each key. Other work of the key waits, in the order of the calls in each lane; the
 * lanes take turns, so that the work of one lane delays another lane by one piece. Keys without work take no memory.
 */
export class FairGate {
  /** The keys that have work, with their waiting work by lane. */
  readonly #keys = new Map<string, Map<string, Set<Start>>>();

  /** Work that has entered must `leave`. */
  async enter(key: string, lane: string, { withinMs, client }: EntryOptions): Promise<Entry> {
    if (client?.isOpen === false) return 'gone';
    const lanes = this.#keys.get(key);
    if (lanes) return new Promise((resolve) => this.#wait(lanes, lane, { withinMs, client, resolve }));
    this.#keys.set(key, new Map());
    return 'entered';
  }

  leave(key: string): void {
    const lanes = this.#keys.get(key);
    const [next] = lanes ?? [];
    if (!lanes || !next) {
      this.#keys.delete(key);
      return;
    }
    const [lane, waiting] = next;
    lanes.delete(lane);
    lanes.set(lane, waiting);
    const [start] = waiting;
    start?.('entered');
  }

  #wait(
    lanes: Map<string, Set<Start>>,
    lane: string,
    { withinMs, client, resolve }: EntryOptions & { resolve: Start },
  ): void {
    const waiting = lanes.get(lane) ?? new Set();
    lanes.set(lane, waiting);
    const start: Start = (entry) => {
      clearTimeout(timer);
      forget?.();
      waiting.delete(start);
      if (waiting.size === 0) lanes.delete(lane);
      resolve(entry);
    };
    const timer = setTimeout(() => start('late'), withinMs);
    waiting.add(start);
    const forget = client?.whenOver(() => start('gone'));
  }
}
