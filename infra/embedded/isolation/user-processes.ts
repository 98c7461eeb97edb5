import { readdirSync, readFileSync } from 'node:fs';

/** A process may start others while they are being ended. */
const ROUNDS = 20;

/** Ends every process of these operating-system users, also those that left their group and session. */
export function killProcessesOf(users: readonly number[]): void {
  for (let round = 0; round < ROUNDS; round += 1) {
    const found = processesOf(new Set(users));
    if (found.length === 0) return;
    for (const id of found) kill(id);
  }
}

/** Operating-system users that have a process on this machine. */
export const usersWithProcesses = (): ReadonlySet<number> =>
  new Set(processIds().flatMap((id) => userOf(id) ?? []));

function processesOf(users: ReadonlySet<number>): number[] {
  if (users.size === 0) return [];
  return processIds().filter((id) => {
    const user = userOf(id);
    return user !== undefined && users.has(user);
  });
}

const processIds = (): number[] => readdirSync('/proc').map(Number).filter(Number.isInteger);

/** The user of a process that runs. */
function userOf(id: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${id}/status`, 'utf8');
    if (/^State:\s+[ZX]/m.test(text)) return undefined;
    const [, user] = /^Uid:\s+(\d+)/m.exec(text) ?? [];
    return user === undefined ? undefined : Number(user);
  } catch {
    // It is not a process, or has ended.
    return undefined;
  }
}

function kill(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
