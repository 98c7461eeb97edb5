import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** Options of Node for the service. A larger young generation takes less processor time and more memory (docs/embedded.md). */
export const HEAP_OPTIONS = ['--max-semi-space-size=32', '--heap-growing-percent=100', '--v8-pool-size=2'];

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Whether this process has the options. They hold only from the start of a process. */
export const hasHeapOptions = (): boolean =>
  HEAP_OPTIONS.every((option) => process.execArgv.includes(option));

/** Runs this program again, in a process that has the options. Resolves with its exit code. */
export function runWithHeapOptions(): Promise<number> {
  const args = [...process.execArgv, ...HEAP_OPTIONS, ...process.argv.slice(1)];
  const child = spawn(process.execPath, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

/** Ends this process when the one that started it has ended without passing a signal on, as after `kill -9`. */
export function endWithParent(): void {
  if (process.channel === undefined) return;
  process.channel.unref();
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}
