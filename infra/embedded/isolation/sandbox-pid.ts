import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import type { Readable } from 'node:stream';

const TRIES = 50;
const INTERVAL_MS = 10;

/** The first process of a sandbox, as this machine numbers it; `bwrap` tells. Undefined if it did not start. */
export async function firstInSandbox(info: Readable): Promise<number | undefined> {
  const told = await text(info).catch(() => '');
  const [, init] = /"child-pid":\s*(\d+)/.exec(told) ?? [];
  return init === undefined ? undefined : Number(init);
}

/** Node in a sandbox, the child of its first process. Undefined if it has ended. */
export async function nodeInSandbox(init: number): Promise<number | undefined> {
  try {
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
