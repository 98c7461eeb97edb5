import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { until } from '../support/until.ts';
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

const CHAIN = `/tmp/chain-of-processes-${process.pid}`;

/** Each process starts the next one and ends, so that none lives for more than a moment. The chain has an end of its own, too. */
const LINK = `echo $2 > ${CHAIN}; [ $2 -ge 20000 ] || [ -e ${CHAIN}.end ] || sh -c "$1" sh "$1" $(($2 + 1)) &`;

const leavesChain = `(() => { const link = ${JSON.stringify(LINK)}; child.spawn('/bin/sh', ['-c', link, 'sh', link, '1'], { detached: true, stdio: 'ignore' }).on('error', () => {}).unref(); return 'left'; })()`;

const links = (): string => {
  try {
    return readFileSync(CHAIN, 'utf8');
  } catch {
    return '';
  }
};

/** Looks whether the chain goes on, and ends it. */
async function chainGoesOn(): Promise<string> {
  await setTimeout(END_MS);
  const before = links();
  await setTimeout(END_MS);
  const goesOn = links() !== before;
  writeFileSync(`${CHAIN}.end`, '');
  await until('the chain has ended', async () => {
    const last = links();
    await setTimeout(END_MS);
    return links() === last;
  });
  for (const path of [CHAIN, `${CHAIN}.end`]) rmSync(path, { force: true });
  return goesOn ? REACHED : 'ended';
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
  {
    attempt: 'leave a chain of processes behind that start each other',
    code: leavesChain,
    afterwards: chainGoesOn,
    answer: { sandbox: 'ended', user: 'ended', process: REACHED },
  },
];
