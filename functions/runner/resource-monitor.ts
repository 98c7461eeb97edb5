import { readFileSync } from 'node:fs';
import { lstat, opendir, statfs } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { RUNNER_MEMORY_MB } from '../../shared/domain/runner-memory.ts';
import type { Child } from './child-process.ts';

const INTERVAL_MS = 50;
/** A job that runs for longer gets a lower priority than the service and other sources. */
const LONG_MS = 1000;
const LOW_PRIORITY = 10;
const DISK_INTERVAL_MS = 1000;
/** Limits of a source's `/tmp` during a run. */
const MAX_DISK_BYTES = 512 * 1024 * 1024;
const MAX_FILES = 10_000;
/** A run may not take the last of the disk: below both, one that has written to `/tmp` is ended. */
const RESERVED_FRACTION = 0.05;
const RESERVED_BYTES = 200 * 1024 * 1024;

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
export const residentMb = (pid: number | undefined): number | undefined =>
  statusMb(pid, /^VmRSS:\s+(\d+) kB$/m);

/** The part of it that no other process shares: heaps and buffers, without the program itself. */
export const anonymousMb = (pid: number | undefined): number | undefined =>
  statusMb(pid, /^RssAnon:\s+(\d+) kB$/m);

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

export async function isDiskFull(directory: string): Promise<boolean> {
  let files = 0;
  let bytes = 0;
  const folders = [directory];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    // Read in pieces: listing a directory that keeps growing would not end.
    const entries = await opendir(folder, { bufferSize: 1024 }).catch(() => []);
    const seen: string[] = [];
    for await (const entry of entries) {
      files += 1;
      if (files > MAX_FILES) return true;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else seen.push(path);
    }
    for (const path of seen) {
      bytes += await bytesOnDisk(path);
      if (bytes > MAX_DISK_BYTES) return true;
    }
  }
  return bytes > 0 && (await isLow(directory));
}

async function isLow(directory: string): Promise<boolean> {
  const { bavail, blocks, bsize } = await statfs(directory);
  return bavail * bsize < RESERVED_BYTES && bavail < RESERVED_FRACTION * blocks;
}

/** Counts blocks, because a sparse file needs less than its size. */
const bytesOnDisk = (path: string): Promise<number> =>
  lstat(path).then(
    ({ blocks }) => blocks * 512,
    () => 0,
  );
