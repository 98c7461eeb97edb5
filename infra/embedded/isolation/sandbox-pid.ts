import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import type { Readable } from 'node:stream';

const TRIES = 50;
const INTERVAL_MS = 10;

/**
 * The process id of Node in a sandbox, as this machine sees it: the child of the sandbox's first process, which `bwrap`
 * tells. Undefined if it has ended.
 */
export async function pidInSandbox(info: Readable): Promise<number | undefined> {
  try {
    const [, init] = /"child-pid":\s*(\d+)/.exec(await text(info)) ?? [];
    if (init === undefined) return undefined;
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const [, pid] = /^(\d+)/.exec(await readFile(`/proc/${init}/task/${init}/children`, 'utf8')) ?? [];
      if (pid !== undefined) return Number(pid);
      await setTimeout(INTERVAL_MS);
    }
  } catch {
    // It has ended meanwhile.
  }
  return undefined;
}
