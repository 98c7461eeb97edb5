import { readFileSync } from 'node:fs';
import type { Child } from './child-process.ts';
import { isDiskFull } from './disk-use.ts';
import { isMemoryFull } from './resource-monitor.ts';

const INTERVAL_MS = 1000;
/**
 * Processor time of an idle child between two of its runs. Timers, kept connections and garbage collection need far
 * less.
 */
const MAX_PROCESSOR_MS = 1000;
/** Length of a clock tick in `/proc`, on every Linux that Node supports. */
const TICK_MS = 10;

interface Idle {
  /** Known from the first check on. */
  processorMs: number | undefined;
  isReading: boolean;
}

/** Ends idle children that go on working after their run: the limits of a run do not hold between runs. */
export class IdleMonitor {
  readonly #idle = new Map<Child, Idle>();
  #timer: NodeJS.Timeout | undefined;

  start(child: Child): void {
    this.#idle.set(child, { processorMs: undefined, isReading: false });
    this.#timer ??= setInterval(() => this.#check(), INTERVAL_MS).unref();
  }

  stop(child: Child): void {
    this.#idle.delete(child);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#idle.clear();
  }

  #check(): void {
    for (const [child, idle] of this.#idle) {
      if (!child.isAlive) this.stop(child);
      else if (this.#isOver(child, idle)) this.#end(child);
      else if (!idle.isReading) void this.#checkDisk(child, idle);
    }
    // Not sooner: a child that is busy at short intervals is checked, too.
    if (this.#idle.size === 0) this.close();
  }

  #isOver(child: Child, idle: Idle): boolean {
    const now = processorMs(child.pid);
    idle.processorMs ??= now;
    return isMemoryFull(child) || (now ?? 0) - (idle.processorMs ?? 0) > MAX_PROCESSOR_MS;
  }

  async #checkDisk(child: Child, idle: Idle): Promise<void> {
    idle.isReading = true;
    const isFull = await isDiskFull(child.tmp).catch(() => false);
    idle.isReading = false;
    if (isFull && this.#idle.get(child) === idle) this.#end(child);
  }

  #end(child: Child): void {
    this.stop(child);
    child.kill('retired');
  }
}

/** Processor time that the process has used; undefined where there is no `/proc`. */
function processorMs(pid: number | undefined): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, may have spaces. User and system time are the fields 14 and 15.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return undefined;
  }
}
