import { runError } from '../../shared/runtime/thrown.ts';
import type { RunError } from '../../shared/domain/run/run.ts';
import type { RunLimits } from '../../shared/domain/run-limits.ts';
import type { ChildEnd } from './child-process.ts';

/** The error of the job that was in progress when its child ended. */
export function errorOf(
  { code, signal, reason, stderrEnd }: ChildEnd,
  { timeoutMs, memoryMb }: Pick<RunLimits, 'timeoutMs' | 'memoryMb'>,
): RunError {
  const memory = runError('out_of_memory', `The run used more than ${memoryMb} MB of memory and was ended.`);
  switch (reason) {
    case 'timeout':
      return runError('timeout', `The run took longer than ${timeoutMs / 1000} seconds and was ended.`);
    case 'out_of_memory':
      return memory;
    case 'disk_full':
      return runError(
        'ENOSPC',
        'The run wrote to /tmp more than 512 MB, 10,000 files, folders 64 deep, or more than the disk has room for, and was ended.',
      );
    case 'flood':
      return runError('crashed', 'The component wrote to the runner itself and was ended.');
    default: {
      // V8 prints this before it aborts.
      if (/heap out of memory|Allocation failed/i.test(stderrEnd)) return memory;
      const how = signal ? `by ${signal}` : `with exit code ${code}`;
      return runError('crashed', `The component's process ended ${how}.`);
    }
  }
}
