import { readdirSync, readFileSync } from 'node:fs';
import { descendants } from '../../support/service.ts';

/** A program's own process. */
export interface MeasuredProcess {
  readonly process: { readonly pid?: number | undefined };
}

/** Figures that Linux keeps of a service's processes. */

const KB = /\s+(\d+) kB/;

/** Processor time of the process itself, or of those that it started and that have ended. */
function processorMsOf(pid: number, { ended }: { ended: boolean } = { ended: false }): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(ended ? 13 : 11);
    return (Number(user) + Number(system)) * 10;
  } catch {
    // It ended while we looked.
    return 0;
  }
}

/** Processor time that the service's own process has used, its threads included, in ms (counted in ticks of 10 ms). */
export const processorMs = ({ process: { pid = 0 } }: MeasuredProcess): number => processorMsOf(pid);

/** The same with every process that the service started and that still runs. */
export const allProcessorMs = ({ process: { pid = 0 } }: MeasuredProcess): number =>
  [pid, ...descendants(pid)].reduce((sum, one) => sum + processorMsOf(one), 0);

/** Processor time of processes that the service or its spawner started, and that have ended. */
const endedProcessorMs = ({ process: { pid = 0 } }: MeasuredProcess): number =>
  [pid, ...descendants(pid)].reduce((sum, one) => sum + processorMsOf(one, { ended: true }), 0);

/** Processor time of the process, its threads and all that it started. */
export const usedProcessorMs = (service: MeasuredProcess): number =>
  allProcessorMs(service) + endedProcessorMs(service);

/** Memory of all processes of the service. A page that several of them share counts in equal parts. */
export const proportionalMb = ({ process: { pid = 0 } }: MeasuredProcess): number =>
  [pid, ...descendants(pid)].reduce((sum, one) => {
    try {
      return (
        sum +
        Math.round(Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${one}/smaps_rollup`, 'utf8'))?.[1]) / 1024)
      );
    } catch {
      // It ended while we looked.
      return sum;
    }
  }, 0);

/** Counts since the start of a process: its processor time, and how often its threads have begun to wait. */
interface Work {
  readonly ms: number;
  readonly waits: number;
}

/** The work of each process of the service. */
export const workByProcess = ({ process: { pid = 0 } }: MeasuredProcess): ReadonlyMap<number, Work> =>
  new Map([pid, ...descendants(pid)].map((one) => [one, { ms: processorMsOf(one), waits: waitsOf(one) }]));

/** The work between two times, of the processes that run at the second one. */
export function workBetween(before: ReadonlyMap<number, Work>, after: ReadonlyMap<number, Work>): Work {
  const sum = { ms: 0, waits: 0 };
  for (const [pid, { ms, waits }] of after) {
    const old = before.get(pid);
    sum.ms += ms - (old?.ms ?? 0);
    sum.waits += waits - (old?.waits ?? 0);
  }
  return sum;
}

function waitsOf(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`).map((id) => readFileSync(`/proc/${pid}/task/${id}/status`, 'utf8'));
  return tasks.reduce((sum, text) => sum + Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(text)?.[1]), 0);
}

/** A line of `/proc/<pid>/status` in MB, for example `VmRSS`. */
function statusMbOf(pid: number, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const at = status.indexOf(`\n${name}:`);
  return Math.round(Number(KB.exec(status.slice(at))?.[1] ?? 0) / 1024);
}

const statusMb = ({ process: { pid = 0 } }: MeasuredProcess, name: string): number => statusMbOf(pid, name);

/** Memory of the service's own process. */
export const residentMb = (service: MeasuredProcess): number => statusMb(service, 'VmRSS');

/** The part of it that is not a view of files: heaps and buffers. */
export const anonymousMb = (service: MeasuredProcess): number => statusMb(service, 'RssAnon');

/** The same with every process that the service started and that still runs. */
export const allAnonymousMb = ({ process: { pid = 0 } }: MeasuredProcess): number =>
  [pid, ...descendants(pid)].reduce((sum, one) => {
    try {
      return sum + statusMbOf(one, 'RssAnon');
    } catch {
      // It ended while we looked.
      return sum;
    }
  }, 0);
