import { renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { processesWith } from './probe.ts';
import { REACHED, type WallTarget } from './attack.ts';
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

/** Time in which a chain that goes on has one more link, on a busy machine too. */
const LINK_MS = 1500;

/**
 * Each process starts the next one and ends, so that none lives for more than a moment. The chain has an end of its
 * own, too.
 */
const LINK = `echo >> "$2" || exit 0; [ $3 -ge 20000 ] || sh -c "$1" sh "$1" "$2" $(($3 + 1)) &`;

/** The file of the links. A link without its directory is the last one. */
const LINKS = 'links';

const leavesChain = `(() => { const link = ${JSON.stringify(LINK)}; fs.writeFileSync(target.chain + '/${LINKS}', ''); child.spawn('/bin/sh', ['-c', link, 'sh', link, target.chain + '/${LINKS}', '1'], { detached: true, stdio: 'ignore' }).on('error', () => {}).unref(); return 'left'; })()`;

/** Looks whether the chain goes on, and ends it. */
async function chainGoesOn({ chain }: WallTarget): Promise<string> {
  /** The number of links: the file only grows. */
  const links = () => statSync(join(chain, LINKS)).size;
  await setTimeout(END_MS);
  const before = links();
  const deadline = performance.now() + LINK_MS;
  while (links() === before && performance.now() < deadline) await setTimeout(20);
  const goesOn = links() !== before;
  endChain(chain);
  return goesOn ? REACHED : 'ended';
}

/** One step: a link may write while its files are removed. */
function endChain(chain: string): void {
  renameSync(chain, `${chain}.ended`);
  rmSync(`${chain}.ended`, { recursive: true, force: true });
}

export const wallLeftovers: readonly WallAttack[] = [
  {
    attempt: 'leave a process behind',
    code: leaves(1),
    afterwards: () => alive(1),
    outcome: { sandbox: 'ended', user: 'ended', process: REACHED },
  },
  {
    attempt: 'leave twenty processes behind',
    code: leaves(20),
    afterwards: () => alive(20),
    outcome: { sandbox: 'ended', user: 'ended', process: REACHED },
  },
  {
    attempt: 'leave a chain of processes behind that start each other',
    code: leavesChain,
    afterwards: (_, { target }) => chainGoesOn(target),
    outcome: { sandbox: 'ended', user: 'ended', process: REACHED },
  },
];
