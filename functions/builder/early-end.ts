import { cut } from '../../shared/lib/cut.ts';
import type { ProcessEnd } from '../../shared/runtime/processes.ts';

const LONGEST_LINE = 300;
/** A path of this machine, or the address of a file. */
const PATH = /(?:file:\/\/)?(?<![\w.])(?:\/[^\s/:'"`()]+){2,}\/?/g;
/** Lines by which V8 says that memory was exhausted; the lines after them are addresses of machine code. */
const OUT_OF_MEMORY = /heap out of memory|Allocation failed|out of memory/i;

/**
 * Why a build process ended before its build was done: how it ended, and the last line that it printed, without paths
 * of this machine.
 */
export function earlyEnd({ code, signal }: ProcessEnd, printed: string): string {
  const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
  const message = `the build process ended ${how} before the build was done`;
  const lines = printed.split('\n').map((line) => line.trim());
  const last = lines.findLast((line) => OUT_OF_MEMORY.test(line)) ?? lines.findLast((line) => line !== '');
  return last === undefined ? message : `${message}: ${shown(last)}`;
}

const shown = (line: string): string =>
  cut(
    line
      .replace(PATH, '…')
      // Control characters of a package's name would reach a terminal.
      .replace(/\p{Cc}/gu, ' '),
    LONGEST_LINE,
  );
