import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { RUNNER_MEMORY_MB } from '../../shared/domain/runner/runner-memory.ts';
import type { Child } from './child-process.ts';
import { isDiskFull } from './disk-use.ts';

const INTERVAL_MS = 50;
/** A job that runs for longer gets a lower priority than the service and other sources. */
const LONG_MS = 1000;
const LOW_PRIORITY = 10;
const DISK_INTERVAL_MS = 1000;

interface Monitored {
  since: number;
  /** Time of the next disk check. */
  diskAt: number;
  hasFinalPriority: boolean;
}

/** Limits memory and files of children that run a job: V8's own limit covers neither buffers nor the disk. */
export class ResourceMonitor {
  readonly #busy = new Map<Child, Monitored>();
  #timer: NodeJS.Timeout | undefined;

  start(child: Child, { lowersPriority }: { lowersPriority: boolean }): void {
    const now = performance.now();
    this.#busy.set(child, { since: now, diskAt: now + DISK_INTERVAL_MS, hasFinalPriority: !lowersPriority });
    this.#timer ??= setInterval(() => this.#check(), INTERVAL_MS).unref();
  }

  stop(child: Child): void {
    this.#busy.delete(child);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#busy.clear();
  }

  #check(): void {
    if (this.#busy.size === 0) {
      this.close();
      return;
    }
    const now = performance.now();
    for (const [child, monitored] of this.#busy) {
      if (isMemoryFull(child)) child.kill('out_of_memory');
      if (!monitored.hasFinalPriority && now - monitored.since > LONG_MS) {
        monitored.hasFinalPriority = true;
        lowerPriority(child.pid);
      }
      if (now < monitored.diskAt) continue;
      monitored.diskAt = Infinity;
      void isDiskFull(child.tmp)
        // A directory may be removed while it is read.
        .catch(() => false)
        .then((isFull) => {
          if (isFull) child.kill('disk_full');
          monitored.diskAt = performance.now() + DISK_INTERVAL_MS;
        });
    }
  }
}

export function isMemoryFull({ pid, memoryMb }: Child): boolean {
  const mb = residentMb(pid);
  return mb !== undefined && mb > memoryMb + RUNNER_MEMORY_MB.base;
}

/** Resident memory in MB; undefined where there is no `/proc`, and for a process that has ended. */
const residentMb = (pid: number | undefined): number | undefined => statusMb(pid, /^VmRSS:\s+(\d+) kB$/m);

/** The part of it that no other process shares: heaps and buffers, without the program itself. */
export const anonymousMb = (pid: number | undefined): number | undefined => statusMb(pid, /^RssAnon:\s+(\d+) kB$/m);

function statusMb(pid: number | undefined, line: RegExp): number | undefined {
  try {
    const [, kilobytes] = line.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, LOW_PRIORITY);
  } catch {
    // The process has just ended, or the system does not allow it. The time limit still holds.
  }
}
