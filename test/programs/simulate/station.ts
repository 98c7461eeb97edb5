interface StationOptions {
  /** Batches at the same time. */
  readonly servers: number;
  /** Message groups; of each only one batch is under way, unless the station is shared. */
  readonly lanes: number;
  readonly batch: number;
  /** Time of a batch with this many messages. */
  msOf(messages: number): number;
  readonly isShared?: boolean;
}

interface Batch {
  readonly lane: number;
  readonly requestedAt: readonly number[];
}

/** A queue and the instances that consume it, on a clock of milliseconds. */
export class Station {
  readonly #options: StationOptions;
  readonly #waiting: { times: number[]; head: number }[];
  /** Lanes with messages that no batch has locked, in the order in which they became so. */
  readonly #ready: number[] = [];
  readonly #isQueued: boolean[];
  readonly #ending = new Map<number, Batch[]>();
  #waits = 0;
  #busy = 0;
  /** The most messages that waited, and the most batches at the same time. */
  mostWaiting = 0;
  mostBusy = 0;
  /** Batches so far, their messages and their time. */
  batches = 0;
  messages = 0;
  busyMs = 0;

  constructor(options: StationOptions) {
    this.#options = options;
    this.#waiting = Array.from({ length: options.lanes }, () => ({ times: [], head: 0 }));
    this.#isQueued = this.#waiting.map(() => false);
  }

  add(lane: number, requestedAt: number): void {
    this.#waiting[lane]?.times.push(requestedAt);
    this.#waits += 1;
    this.#queue(lane);
  }

  /** Ends the batches that are due, and starts others. Returns the messages of those that ended. */
  advance(at: number): number[] {
    const ended = this.#ending.get(at) ?? [];
    this.#ending.delete(at);
    this.#busy -= ended.length;
    if (this.#options.isShared !== true) for (const { lane } of ended) this.#unlock(lane);
    while (this.#busy < this.#options.servers && this.#ready.length > 0) this.#start(at);
    this.mostWaiting = Math.max(this.mostWaiting, this.#waits);
    this.mostBusy = Math.max(this.mostBusy, this.#busy);
    return ended.flatMap(({ requestedAt }) => requestedAt);
  }

  #start(at: number): void {
    const { batch, msOf, isShared } = this.#options;
    const lane = this.#ready.shift() ?? 0;
    const line = this.#waiting[lane];
    if (!line) return;
    const requestedAt = line.times.slice(line.head, line.head + batch);
    line.head += requestedAt.length;
    if (line.head > 10_000) {
      line.times.splice(0, line.head);
      line.head = 0;
    }
    const ms = Math.max(1, Math.round(msOf(requestedAt.length)));
    this.#ending.set(at + ms, [...(this.#ending.get(at + ms) ?? []), { lane, requestedAt }]);
    this.#waits -= requestedAt.length;
    this.#busy += 1;
    this.batches += 1;
    this.messages += requestedAt.length;
    this.busyMs += ms;
    if (isShared === true) this.#unlock(lane);
  }

  #queue(lane: number): void {
    if (this.#isQueued[lane]) return;
    this.#isQueued[lane] = true;
    this.#ready.push(lane);
  }

  #unlock(lane: number): void {
    this.#isQueued[lane] = false;
    const line = this.#waiting[lane];
    if (line && line.head < line.times.length) this.#queue(lane);
  }
}
