import { readFileSync } from 'node:fs';
import type { Child } from './child-process.ts';
import { isDiskFull } from './disk-use.ts';
import { isMemoryFull } from './resource-monitor.ts';

const INTERVAL_MS = 1000;
/** Interval while no child works. 10 ms of processor time since the last check are work. */
const QUIET_INTERVAL_MS = 5000;
/**
 * Processor time of an idle child between two of its runs. Timers, kept connections and garbage collection need far
 * less.
 */
const MAX_PROCESSOR_MS = 1000;
/** Length of a clock tick in `/proc`, on every Linux that Node supports. */
const TICK_MS = 10;

interface Idle {
  processorMs: { first: number; last: number } | undefined;
  isReading: boolean;
}

/** Ends idle children that go on working after their run: the limits of a run do not hold between runs. */
export class IdleMonitor {
  readonly #idle = new Map<Child, Idle>();
  #timer: NodeJS.Timeout | undefined;
  #isQuiet = true;
  readonly #onCheck: () => void;

  constructor(onCheck: () => void) {
    this.#onCheck = onCheck;
  }

  start(child: Child): void {
    this.#idle.set(child, { processorMs: undefined, isReading: false });
    if (this.#isQuiet) this.#checkIn(INTERVAL_MS);
  }

  stop(child: Child): void {
    this.#idle.delete(child);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#isQuiet = true;
    this.#idle.clear();
  }

  #checkIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#isQuiet = ms > INTERVAL_MS;
    this.#timer = setTimeout(() => this.#check(), ms).unref();
  }

  #check(): void {
    let hasWorked = false;
    for (const [child, idle] of this.#idle) {
      if (!child.isAlive) this.stop(child);
      else if (isMemoryFull(child)) this.#end(child);
      else if (this.#hasWorked(child, idle)) hasWorked = true;
    }
    this.#onCheck();
    // Not sooner: a child that is busy at short intervals is checked, too.
    if (this.#idle.size === 0) this.close();
    else this.#checkIn(hasWorked ? INTERVAL_MS : QUIET_INTERVAL_MS);
  }

  /** Whether the child has used processor time since the last check. Without it, its files are the same. */
  #hasWorked(child: Child, idle: Idle): boolean {
    const last = processorMs(child.pid);
    if (last !== undefined && last === idle.processorMs?.last) return false;
    const { first } = (idle.processorMs = { first: idle.processorMs?.first ?? last ?? 0, last: last ?? 0 });
    if ((last ?? 0) - first > MAX_PROCESSOR_MS) this.#end(child);
    else if (!idle.isReading) void this.#checkDisk(child, idle);
    return true;
  }

  async #checkDisk(child: Child, idle: Idle): Promise<void> {
    idle.isReading = true;
    if ((await isDiskFull(child.tmp).catch(() => false)) && this.#idle.get(child) === idle) this.#end(child);
    idle.isReading = false;
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
