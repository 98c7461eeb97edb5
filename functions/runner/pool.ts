import { join } from 'node:path';
import type { RunnerRequest } from '../../shared/domain/run/run.ts';
import { RUNNER_MEMORY_MB } from '../../shared/domain/run/runner-memory.ts';
import { defaultLimits } from '../../shared/domain/run-limits.ts';
import type { Processes } from '../../shared/runtime/processes.ts';
import type { ChildSettings } from './child-settings.ts';
import type { Bundles } from './bundles.ts';
import { Child } from './child-process.ts';
import { IdleMonitor } from './idle-monitor.ts';
import { anonymousMb } from './resource-monitor.ts';

export interface PoolOptions {
  processes: Processes;
  script: string;
  directory: string;
  env: Readonly<Record<string, string>>;
  settings: ChildSettings;
  /** Largest number of idle children. */
  warm: number;
  /** Memory that all idle children together may keep, in MB. */
  idleMb: number;
  bundles: Bundles;
}

const SWEEP_INTERVAL_MS = 5000;
const LONGEST_IDLE_MS = 5 * 60_000;
/** After it, the idle children together keep at most `idleMb`; the longest idle is ended first. */
const SHORT_IDLE_MS = 10_000;
/** The memory of an idle child that is compared with its share may be so old at its release. Each run keeps to its own limit. */
const MEASURE_INTERVAL_MS = 100;
/** Delay before the next spare child is started: the request that took the last one needs the processor first. */
const SPARE_DELAY_MS = 50;

interface Idle {
  child: Child;
  since: number;
  /** Anonymous memory at its release. */
  mb: number;
}

/**
 * The children of this host. A child runs one source and one bundle for its whole life, and one request at a time: two requests in one
 * process would share its time limit, its memory limit and its end.
 */
export class Pool {
  /** The longest idle first. */
  #idle: Idle[] = [];
  #spare: Child | undefined;
  #count = 0;
  #isClosed = false;
  readonly #all = new Set<Child>();
  readonly #monitor = new IdleMonitor();
  readonly #measured = new WeakMap<Child, { mb: number; at: number }>();
  readonly #options: PoolOptions;
  /** Runs while children are idle. */
  #sweeper: NodeJS.Timeout | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#prepareSpare();
  }

  /**
   * Returns a ready child that has the source's bundle in its directory. A spare child that did not start, for example because the instance
   * was frozen on the way, is replaced once.
   */
  async acquire(request: RunnerRequest): Promise<Child> {
    const { processKey, bundle, limits } = request;
    const warm = this.#warmOne(processKey, bundle.hash, limits.memoryMb);
    if (warm) {
      this.#monitor.stop(warm);
      return warm;
    }
    const spare = this.#takeSpare(limits.memoryMb);
    const prepared = spare && (await this.#prepare(spare, request).catch(() => undefined));
    return prepared ?? this.#prepare(this.#spawn(limits.memoryMb), request);
  }

  /** Keeps the child for the next request of its source, or ends it. */
  release(child: Child, { keep }: { keep: boolean }): void {
    if (!child.isAlive) return;
    if (!keep || this.#isClosed) {
      child.kill('retired');
      return;
    }
    this.#idle.push({ child, since: performance.now(), mb: this.#mbOf(child) });
    this.#monitor.start(child);
    while (this.#isFull()) this.#retire(this.#idle.shift()?.child);
    this.#sweepLater();
  }

  /** Anonymous memory of a child. Reading it takes longer than a short run needs, so it is not read for each of them. */
  #mbOf(child: Child): number {
    const now = performance.now();
    const known = this.#measured.get(child);
    if (known && now - known.at < MEASURE_INTERVAL_MS) return known.mb;
    const mb = anonymousMb(child.pid) ?? 0;
    this.#measured.set(child, { mb, at: now });
    return mb;
  }

  /** Ends the longest idle child, or the spare one. False if there is neither. */
  endIdle(): boolean {
    const child = this.#idle.shift()?.child ?? this.#spare;
    if (child === this.#spare) this.#spare = undefined;
    this.#retire(child);
    return child !== undefined;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#sweeper);
    this.#monitor.close();
    for (const child of this.#all) child.kill('retired');
    await Promise.all([...this.#all].map(({ ended }) => ended));
  }

  #warmOne(processKey: string, bundleHash: string, memoryMb: number): Child | undefined {
    const mine = this.#idle.filter(({ child }) => child.processKey === processKey);
    const fit = mine.findLast(
      ({ child }) => child.isAlive && child.bundleHash === bundleHash && child.memoryMb === memoryMb,
    );
    if (mine.length === 0) return undefined;
    // Ends the source's children with other code or another memory limit.
    const stale = mine.filter(
      ({ child }) => !child.isAlive || child.bundleHash !== bundleHash || child.memoryMb !== memoryMb,
    );
    for (const { child } of stale) this.#retire(child);
    this.#idle = this.#idle.filter((idle) => idle !== fit && !stale.includes(idle));
    return fit?.child;
  }

  /** The idle children together keep to their share of the environment's memory, however large each of them is. */
  #isFull(): boolean {
    const { warm } = this.#options;
    const idleMb = this.#idle.reduce((sum, { mb }) => sum + mb, 0);
    return this.#idle.length > warm || idleMb > warm * RUNNER_MEMORY_MB.warm;
  }

  #retire(child: Child | undefined): void {
    if (!child) return;
    this.#monitor.stop(child);
    child.kill('retired');
  }

  /** Makes the child the source's own, and ends it if that fails. */
  async #prepare(child: Child, { ownerId, processKey, bundle }: RunnerRequest): Promise<Child> {
    child.processKey = processKey;
    child.bundleHash = bundle.hash;
    try {
      await Promise.all([child.ready, this.#options.bundles.copyTo(child.bundlePath, bundle)]);
      child.assign(ownerId);
      return child;
    } catch (error) {
      child.kill('retired');
      throw error;
    }
  }

  #takeSpare(memoryMb: number): Child | undefined {
    const spare = this.#spare;
    if (spare?.isAlive !== true || spare.memoryMb !== memoryMb) return undefined;
    this.#spare = undefined;
    setTimeout(() => this.#prepareSpare(), SPARE_DELAY_MS).unref();
    return spare;
  }

  /** Starts a child for the next source in advance, because a process takes 80 to 150 ms to start. */
  #prepareSpare(): void {
    if (this.#isClosed || this.#spare?.isAlive === true) return;
    this.#spare = this.#spawn(defaultLimits.memoryMb);
  }

  #spawn(memoryMb: number): Child {
    const { processes, script, directory, env, settings } = this.#options;
    this.#count += 1;
    const child = new Child({
      processes,
      script,
      directory: join(directory, `child-${this.#count}`),
      memoryMb,
      env,
      settings,
    });
    this.#all.add(child);
    // `acquire` handles it; a spare child that failed is replaced when it is needed.
    child.ready.catch(() => undefined);
    void child.ended.then(() => this.#all.delete(child));
    return child;
  }

  #sweepLater(): void {
    if (this.#idle.length === 0) return;
    this.#sweeper ??= setTimeout(() => {
      this.#sweeper = undefined;
      this.#sweep();
      this.#sweepLater();
    }, SWEEP_INTERVAL_MS).unref();
  }

  #sweep(): void {
    const now = performance.now();
    let used = 0;
    const kept: Idle[] = [];
    // The most recently used children come first, so that the budget is theirs.
    for (const idle of this.#idle.toReversed()) {
      const idleMs = now - idle.since;
      // The program of Node is in memory once for all of them, so it does not count.
      used += anonymousMb(idle.child.pid) ?? 0;
      const isOver = idleMs > LONGEST_IDLE_MS || (used > this.#options.idleMb && idleMs > SHORT_IDLE_MS);
      if (isOver || !idle.child.isAlive) this.#retire(idle.child);
      else kept.unshift(idle);
    }
    this.#idle = kept;
  }
}
