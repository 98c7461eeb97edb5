import { readdirSync, readFileSync } from 'node:fs';

/** Whether the user has a process on this machine. */
export const hasProcesses = (user: number): boolean => usersWithProcesses().has(user);

/** Operating-system users that have a process on this machine. */
export const usersWithProcesses = (): ReadonlySet<number> => new Set(processIds().flatMap((id) => userOf(id) ?? []));

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
