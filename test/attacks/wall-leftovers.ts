import { setTimeout } from 'node:timers/promises';
import { processesWith } from './probe.ts';
import { REACHED } from './attack.ts';
import type { WallAttack } from './wall.ts';

/** Time in which the system ends what belongs to a process. */
const END_MS = 300;
/** The suite may run twice at once. */
const MARK = `a-process-that-outlives-its-run-${process.pid}`;

/** Starts a process that waits, in a session of its own. */
const leaves = (count: number) =>
  `(() => { for (let n = 0; n < ${count}; n += 1) child.spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', '${MARK}-${count}'], { detached: true, stdio: 'ignore' }).unref(); return 'left'; })()`;

/** Looks for the processes, and ends them. */
async function alive(count: number): Promise<string> {
  await setTimeout(END_MS);
  const found = processesWith(`${MARK}-${count}`);
  for (const id of found) process.kill(id, 'SIGKILL');
  return found.length > 0 ? REACHED : 'ended';
}

export const wallLeftovers: readonly WallAttack[] = [
  {
    attempt: 'leave a process behind',
    code: leaves(1),
    afterwards: () => alive(1),
    answer: { sandbox: 'ended', user: 'ended', process: REACHED },
  },
  {
    attempt: 'leave twenty processes behind',
    code: leaves(20),
    afterwards: () => alive(20),
    answer: { sandbox: 'ended', user: 'ended', process: REACHED },
  },
];
