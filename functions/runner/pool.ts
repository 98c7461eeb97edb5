import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { RunnerRequest } from '../../shared/domain/run/run.ts';
import { defaultLimits } from '../../shared/domain/run-limits.ts';
import { createSemaphore } from '../../shared/lib/semaphore.ts';
import type { Processes } from '../../shared/runtime/processes.ts';
import type { ChildSettings } from './child-settings.ts';
import type { Bundles } from './bundles.ts';
import { Child } from './child-process.ts';
import type { SendReport } from './late-reports.ts';
import { IdleChildren, type IdleOptions } from './idle-children.ts';

export interface PoolOptions extends IdleOptions {
  processes: Processes;
  script: string;
  directory: string;
  env: Readonly<Record<string, string>>;
  settings: ChildSettings;
  bundles: Bundles;
  sendReport?: SendReport | undefined;
}

/** Delay before the next spare child is started: the request that took the last one needs the processor first. */
const SPARE_DELAY_MS = 50;
/** A start keeps one processor busy. More starts at once take longer each, and their processes wait in memory. */
const STARTS_PER_PROCESSOR = 2;
/** Many times the usual wait: the machine may be busy. */
const LONGEST_WAIT_MS = 20_000;

/**
 * The children of this host. A child runs one source and one bundle for its whole life, and one request at a time: two
 * requests in one process would share its time limit, its memory limit and its end.
 */
export class Pool {
  #spare: Child | undefined;
  #count = 0;
  #isClosed = false;
  readonly #all = new Set<Child>();
  readonly #idle: IdleChildren;
  readonly #starts = createSemaphore(STARTS_PER_PROCESSOR * availableParallelism());
  /** Starts for requests that a person waits for: they do not wait behind runs. */
  readonly #awaitedStarts = createSemaphore(availableParallelism());
  readonly #options: PoolOptions;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#idle = new IdleChildren(options);
    this.#prepareSpare();
  }

  /**
   * Returns a ready child that has the source's bundle in its directory. A spare child that did not start or has ended,
   * for example because the instance was frozen on the way, is replaced once.
   */
  async acquire(request: RunnerRequest): Promise<Child> {
    this.#idle.begin(request.processKey);
    const warm = this.#takeIdle(request);
    if (warm) return warm;
    const spare = this.#takeSpare(request.limits.memoryMb);
    const prepared = spare && (await this.#prepare(spare, request).catch(() => undefined));
    return prepared ?? this.#start(request);
  }

  /** Keeps the child for the next request of its source, or ends it. */
  release(child: Child, { keep }: { keep: boolean }): void {
    if (!child.isAlive) return;
    if (keep && !this.#isClosed && child.processKey !== undefined) this.#idle.add(child, child.processKey);
    else child.kill('retired');
  }

  /** Ends the longest idle child, or the spare one. False if there is neither. */
  endIdle(): boolean {
    if (this.#idle.endOne()) return true;
    const spare = this.#spare;
    this.#spare = undefined;
    spare?.kill('retired');
    return spare !== undefined;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#idle.close();
    for (const child of this.#all) {
      // The service stops: it may take no more messages when the process has ended.
      child.lateReports.flush();
      child.kill('retired');
    }
    await Promise.all([...this.#all].map(({ ended }) => ended));
  }

  #takeIdle({ processKey, bundle, limits }: RunnerRequest): Child | undefined {
    return this.#idle.take({ processKey, bundleHash: bundle.hash, memoryMb: limits.memoryMb });
  }

  /** Starts a child when fewer others are starting, unless one of the source has become idle until then. */
  async #start(request: RunnerRequest): Promise<Child> {
    const starts = request.jobs.every(({ kind }) => kind === 'run') ? this.#starts : this.#awaitedStarts;
    if (!(await starts.acquire(1, LONGEST_WAIT_MS))) throw new Error('Too many processes of components are starting.');
    let started: Promise<unknown> = Promise.resolve();
    try {
      const warm = this.#takeIdle(request);
      if (warm) return warm;
      if (this.#isClosed) throw new Error('The runner was closed.');
      const child = this.#spawn(request.limits.memoryMb);
      started = child.ready.catch(() => undefined);
      return this.#prepare(child, request);
    } finally {
      void started.then(() => starts.release(1));
    }
  }

  /** Makes the child the source's own, and ends it if that fails. */
  async #prepare(child: Child, { ownerId, processKey, bundle }: RunnerRequest): Promise<Child> {
    child.processKey = processKey;
    child.bundleHash = bundle.hash;
    try {
      await Promise.all([child.ready, this.#options.bundles.copyTo(child.bundlePath, bundle)]);
      if (!child.isAlive) throw new Error('A process ended before its first run.');
      child.assign(ownerId, processKey);
      return child;
    } catch (error) {
      child.kill('retired');
      throw error;
    }
  }

  #takeSpare(memoryMb: number): Child | undefined {
    const spare = this.#spare;
    if (!spare || (spare.isAlive && spare.memoryMb !== memoryMb)) return undefined;
    this.#spare = undefined;
    setTimeout(() => this.#prepareSpare(), SPARE_DELAY_MS).unref();
    return spare.isAlive ? spare : undefined;
  }

  /** Starts a child for the next source in advance, because a process takes 80 to 150 ms to start. */
  #prepareSpare(): void {
    if (this.#isClosed || this.#spare?.isAlive === true) return;
    this.#spare = this.#spawn(defaultLimits.memoryMb);
  }

  #spawn(memoryMb: number): Child {
    const { processes, script, directory, env, settings, sendReport } = this.#options;
    this.#count += 1;
    const child = new Child({
      processes,
      script,
      directory: join(directory, `child-${this.#count}`),
      memoryMb,
      env,
      settings,
      sendReport,
    });
    this.#all.add(child);
    // `acquire` handles it; a spare child that failed is replaced when it is needed.
    child.ready.catch(() => undefined);
    void child.ended.then(() => this.#all.delete(child));
    return child;
  }
}
