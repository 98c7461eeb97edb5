import { RUNNER_MEMORY_MB } from '../../shared/domain/runner/runner-memory.ts';
import type { Child } from './child-process.ts';
import { FrequentSources } from './frequent-sources.ts';
import { IdleMonitor } from './idle-monitor.ts';
import { anonymousMb } from './resource-monitor.ts';

export interface IdleOptions {
  /** Largest number of idle children, but for those of frequent sources. */
  warm: number;
  /** Memory that all idle children together may keep, in MB. */
  idleMb: number;
}

/** A child that a request can use. */
interface RequiredChild {
  processKey: string;
  bundleHash: string;
  memoryMb: number;
}

interface Idle {
  child: Child;
  since: number;
  /** Anonymous memory at its release. */
  mb: number;
  isFrequent: boolean;
}

const LONGEST_IDLE_MS = 5 * 60_000;
/** After it, the idle children together keep at most `idleMb`; the longest idle is ended first. */
const SHORT_IDLE_MS = 10_000;
/** Before it, children of frequent sources beyond `warm` may bring all of them to this many times `idleMb`. */
const FREQUENT_FACTOR = 2;
/**
 * A frequent source runs more often than this, and its child is kept for so long. A shorter time would end the children
 * of busy sources on a busy machine, where all of them run less often, and starts would keep it busy.
 */
const FREQUENT_MS = 30_000;
/**
 * The memory of an idle child that is compared with its share may be so old at its release. Each run keeps to its own
 * limit.
 */
const MEASURE_INTERVAL_MS = 100;

/**
 * Children that wait for the next request of their source. More sources than `warm` that run in turn would end each
 * other's children before their next use, and start a process for each run: so the children of frequent sources are
 * kept beyond that number.
 */
export class IdleChildren {
  /** The longest idle first. */
  #idle: Idle[] = [];
  readonly #monitor = new IdleMonitor(() => this.#sweep());
  readonly #measured = new WeakMap<Child, { mb: number; at: number }>();
  readonly #frequent = new FrequentSources(FREQUENT_MS);
  readonly #options: IdleOptions;

  constructor(options: IdleOptions) {
    this.#options = options;
  }

  /** A request of the source begins. */
  begin(processKey: string): void {
    this.#frequent.begin(processKey, performance.now());
  }

  /** Keeps the child as long as it is useful. */
  add(child: Child, processKey: string): void {
    const now = performance.now();
    this.#frequent.end(processKey, now);
    const isFrequent = this.#frequent.has(processKey);
    this.#idle.push({ child, since: now, mb: this.#mbOf(child, now), isFrequent });
    this.#monitor.start(child);
    while (this.#isFull()) this.#retire(this.#takeLeastUseful());
  }

  /** Takes the last used child that fits. Ends the source's children with other code or another memory limit. */
  take({ processKey, bundleHash, memoryMb }: RequiredChild): Child | undefined {
    const mine = this.#idle.filter(({ child }) => child.processKey === processKey);
    if (mine.length === 0) return undefined;
    const isFit = ({ child }: Idle) => child.isAlive && child.bundleHash === bundleHash && child.memoryMb === memoryMb;
    const fit = mine.findLast(isFit);
    const stale = mine.filter((idle) => !isFit(idle));
    for (const { child } of stale) this.#retire(child);
    this.#idle = this.#idle.filter((idle) => idle !== fit && !stale.includes(idle));
    if (fit) this.#monitor.stop(fit.child);
    return fit?.child;
  }

  /** Ends the longest idle child. False if there is none. */
  endOne(): boolean {
    const child = this.#idle.shift()?.child;
    this.#retire(child);
    return child !== undefined;
  }

  /** Its timer ends; the children are ended by the pool. */
  close(): void {
    this.#monitor.close();
  }

  /**
   * Anonymous memory of a child. Reading it takes longer than a short run needs, so it is not read for each of them.
   */
  #mbOf(child: Child, now: number): number {
    const known = this.#measured.get(child);
    if (known && now - known.at < MEASURE_INTERVAL_MS) return known.mb;
    // A child whose memory the system does not tell counts as its share.
    const mb = anonymousMb(child.pid) ?? RUNNER_MEMORY_MB.warm;
    this.#measured.set(child, { mb, at: now });
    return mb;
  }

  /** The idle children together keep to their share of the environment's memory, however large each of them is. */
  #isFull(): boolean {
    const { warm, idleMb } = this.#options;
    const usedMb = this.#idle.reduce((sum, { mb }) => sum + mb, 0);
    if (usedMb > warm * RUNNER_MEMORY_MB.warm) return true;
    if (this.#idle.length <= warm) return false;
    return usedMb > FREQUENT_FACTOR * idleMb || this.#idle.some(({ isFrequent }) => !isFrequent);
  }

  /** The longest idle child of a source that is not frequent, or else the longest idle one. */
  #takeLeastUseful(): Child | undefined {
    const index = this.#idle.findIndex(({ isFrequent }) => !isFrequent);
    return this.#idle.splice(Math.max(0, index), 1)[0]?.child;
  }

  #retire(child: Child | undefined): void {
    if (!child) return;
    this.#monitor.stop(child);
    child.kill('retired');
  }

  #sweep(): void {
    const now = performance.now();
    const { warm, idleMb } = this.#options;
    let usedMb = 0;
    const kept: Idle[] = [];
    // The most recently used children come first and get the budget.
    for (const idle of this.#idle.toReversed()) {
      const idleMs = now - idle.since;
      // The program of Node is in memory once for all of them, so it does not count.
      usedMb += anonymousMb(idle.child.pid) ?? 0;
      const isOver =
        idleMs > LONGEST_IDLE_MS ||
        (usedMb > idleMb && idleMs > SHORT_IDLE_MS) ||
        (kept.length >= warm && idleMs > FREQUENT_MS);
      if (isOver || !idle.child.isAlive) this.#retire(idle.child);
      else kept.unshift(idle);
    }
    this.#idle = kept;
  }
}
