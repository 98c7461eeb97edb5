import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type SignalName = (typeof SIGNALS)[number];

/** One Ctrl-C can arrive twice: the terminal signals the whole group, and npm signals its child. */
const SAME_SIGNAL_MS = 500;

interface InterruptionOptions {
  onSignal(name: SignalName, listener: () => void): void;
  /** Milliseconds of a clock that never goes back. */
  now(): number;
  exit(code: number): void;
}

/** Aborts at the first signal, so that the command can clean up. A second signal ends the process at once. */
export function createInterruption({ onSignal, now, exit }: InterruptionOptions): AbortSignal {
  const controller = new AbortController();
  let firstAt: number | undefined;
  for (const name of SIGNALS) {
    onSignal(name, () => {
      firstAt ??= now();
      if (now() - firstAt >= SAME_SIGNAL_MS) exit(128 + constants.signals[name]);
      else controller.abort();
    });
  }
  return controller.signal;
}
