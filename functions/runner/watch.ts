import { readFileSync } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import type { Child } from './child-process.ts';

const INTERVAL_MS = 50;
/** Node itself, its code and the component's, beside what the component may use. */
const OWN_MB = 96;
/** A job this old gives way to the service and to other sources when the processors are busy. */
const LONG_MS = 1000;
const LOW_PRIORITY = 10;
const DISK_INTERVAL_MS = 1000;
/** What a source may keep in its `/tmp` while it runs. */
const MOST_DISK_BYTES = 512 * 1024 * 1024;
const MOST_FILES = 10_000;

interface Watched {
  since: number;
  diskAt: number;
  isLow: boolean;
}

/** Looks after the memory and the files of children at work; V8's own limit sees neither buffers nor the disk. */
export class Watch {
  readonly #busy = new Map<Child, Watched>();
  #timer: NodeJS.Timeout | undefined;

  /** `givesWay`: to be lowered when it takes long. */
  start(child: Child, givesWay: boolean): void {
    const now = performance.now();
    this.#busy.set(child, { since: now, diskAt: now + DISK_INTERVAL_MS, isLow: !givesWay });
    this.#timer ??= setInterval(() => this.#look(), INTERVAL_MS).unref();
  }

  stop(child: Child): void {
    this.#busy.delete(child);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#busy.clear();
  }

  #look(): void {
    if (this.#busy.size === 0) {
      this.close();
      return;
    }
    const now = performance.now();
    for (const [child, watched] of this.#busy) {
      const mb = residentMb(child.pid);
      if (mb !== undefined && mb > child.memoryMb + OWN_MB) child.kill('out_of_memory');
      if (!watched.isLow && now - watched.since > LONG_MS) {
        watched.isLow = true;
        lower(child.pid);
      }
      if (now < watched.diskAt) continue;
      watched.diskAt = Infinity;
      void overflows(child.tmp)
        // A directory may go while it is read.
        .catch(() => false)
        .then((isFull) => {
          if (isFull) child.kill('disk_full');
          watched.diskAt = performance.now() + DISK_INTERVAL_MS;
        });
    }
  }
}

/** Resident memory in MB; undefined where there is no `/proc`, and for a process that has ended. */
export function residentMb(pid: number | undefined): number | undefined {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}

function lower(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, LOW_PRIORITY);
  } catch {
    // It has just ended, or the system does not allow it; its time limit stands.
  }
}

async function overflows(directory: string): Promise<boolean> {
  let files = 0;
  let bytes = 0;
  const folders = [directory];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    // Read piece by piece: a listing of a directory that grows all the while would not end.
    const entries = await opendir(folder, { bufferSize: 1024 }).catch(() => []);
    const seen: string[] = [];
    for await (const entry of entries) {
      files += 1;
      if (files > MOST_FILES) return true;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else seen.push(path);
    }
    for (const path of seen) {
      bytes += await bytesOnDisk(path);
      if (bytes > MOST_DISK_BYTES) return true;
    }
  }
  return false;
}

/** Blocks, since a file may be mostly holes. */
const bytesOnDisk = (path: string): Promise<number> =>
  lstat(path).then(
    ({ blocks }) => blocks * 512,
    () => 0,
  );
