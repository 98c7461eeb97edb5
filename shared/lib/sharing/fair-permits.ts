import { hasFairShare } from './fair-share.ts';

export interface WaitingWork {
  readonly party: string;
  /** The party is the only one, and may have all permits. */
  readonly isOnlyParty: boolean;
  /** Called with the permit. Must not throw. */
  start(): void;
}

interface Party {
  running: number;
  /** Grows with each permit that a party gets; 0 for a party that had none. */
  startNumber: number;
  /** Oldest first. */
  readonly waiting: Set<WaitingWork>;
}

/**
 * Permits that parties share: beyond three quarters of them only a party with less than a quarter gets one. Work that
 * waits starts one party after the other, the oldest of each first. A party without work takes no memory.
 */
export class FairPermits {
  readonly #limit: number;
  readonly #parties = new Map<string, Party>();
  #running = 0;
  #startNumber = 0;
  #waiting = 0;
  #isStarting = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Without work that runs or waits. */
  get isIdle(): boolean {
    return this.#parties.size === 0;
  }

  get waiting(): number {
    return this.#waiting;
  }

  waitingOf(party: string): number {
    return this.#parties.get(party)?.waiting.size ?? 0;
  }

  /** Whether the party gets a permit at once. */
  isFree(party: string): boolean {
    const usedByOne = this.#parties.get(party)?.running ?? 0;
    return hasFairShare({ limit: this.#limit, usedByAll: this.#running, usedByOne }, false);
  }

  /** Starts the work now, or after others of its party that wait. */
  add(work: WaitingWork): void {
    const own = this.#parties.get(work.party) ?? { running: 0, startNumber: 0, waiting: new Set() };
    this.#parties.set(work.party, own);
    own.waiting.add(work);
    this.#waiting += 1;
    this.#startWaiting();
  }

  /** Work that waits no longer. */
  remove(work: WaitingWork): void {
    const own = this.#parties.get(work.party);
    if (!own?.waiting.delete(work)) return;
    this.#waiting -= 1;
    this.#forget(work.party, own);
  }

  release(party: string): void {
    const own = this.#parties.get(party);
    if (!own) return;
    own.running -= 1;
    this.#running -= 1;
    this.#forget(party, own);
    this.#startWaiting();
  }

  /**
   * A loop, as work that ends at once releases its permit before `start` returns: thousands of them would take too much
   * stack.
   */
  #startWaiting(): void {
    if (this.#isStarting) return;
    this.#isStarting = true;
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const { work, own } = next;
      own.waiting.delete(work);
      own.running += 1;
      this.#waiting -= 1;
      this.#running += 1;
      own.startNumber = this.#startNumber += 1;
      work.start();
    }
    this.#isStarting = false;
  }

  /** The oldest work of the party that got a permit the longest time ago, among those that may have one. */
  #next(): { work: WaitingWork; own: Party } | undefined {
    let next: { work: WaitingWork; own: Party } | undefined;
    if (this.#waiting === 0 || this.#running >= this.#limit) return next;
    for (const own of this.#parties.values()) {
      const [work] = own.waiting;
      const use = { limit: this.#limit, usedByAll: this.#running, usedByOne: own.running };
      if (!work || !hasFairShare(use, work.isOnlyParty)) continue;
      if (next === undefined || own.startNumber < next.own.startNumber) next = { work, own };
    }
    return next;
  }

  #forget(party: string, { running, waiting }: Party): void {
    if (running === 0 && waiting.size === 0) this.#parties.delete(party);
  }
}
