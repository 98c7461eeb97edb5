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

/** How often the threads of the service's processes have begun to wait. */
export const waits = ({ process: { pid = 0 } }: MeasuredProcess): number =>
  [pid, ...descendants(pid)].reduce((sum, one) => {
    const tasks = readdirSync(`/proc/${one}/task`).map((id) => readFileSync(`/proc/${one}/task/${id}/status`, 'utf8'));
    return sum + tasks.reduce((each, text) => each + Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(text)?.[1]), 0);
  }, 0);

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
