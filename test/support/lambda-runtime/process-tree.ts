import { readdirSync, readFileSync } from 'node:fs';

/** A process and everything that it started, also what left its process group. */
export function processTree(root: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = parentOf(Number(name));
    if (parent !== undefined) parents.set(Number(name), parent);
  }
  const tree = new Set([root]);
  for (let size = 0; size < tree.size;) {
    size = tree.size;
    for (const [pid, parent] of parents) if (tree.has(parent)) tree.add(pid);
  }
  return [...tree];
}

/** Sends a signal until no further process appears: one that starts meanwhile gets it, too. */
export function signalTree(root: number, signal: NodeJS.Signals): void {
  const signalled = new Set<number>();
  for (let size = -1; size < signalled.size;) {
    size = signalled.size;
    for (const pid of processTree(root)) {
      if (signalled.has(pid)) continue;
      signalled.add(pid);
      try {
        process.kill(pid, signal);
      } catch {
        // It has just ended.
      }
    }
  }
}

function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}
