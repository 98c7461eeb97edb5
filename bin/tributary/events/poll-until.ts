import { setTimeout as delay } from 'node:timers/promises';

/** The longest wait for the end of a run or an attempt. */
export const LONGEST_WAIT_MS = 65_000;

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;

/** How long a command waits, as it tells a person. */
export const waitRule = (subject: 'run' | 'attempt'): string =>
  `Waiting for up to ${LONGEST_WAIT_MS / 1_000} s; Ctrl-C ends the wait, not the ${subject}.`;

/** After this time the user is told about a wait. */
const SLOW_MS = 4_000;

export interface PollOptions {
  /** Ms of a clock that never goes back. */
  now(): number;
  pause(ms: number): Promise<unknown>;
}

const REAL: PollOptions = { now: () => performance.now(), pause: delay };

export interface PollTask<T> {
  read: () => Promise<T>;
  hasEnded: (value: T) => boolean;
  /** Called once, with the value of the moment, when the wait takes long. */
  onSlow?: ((value: T) => Promise<void>) | undefined;
}

/** Reads a value until it has ended. After the longest wait, the value as it then is. */
export async function pollUntil<T>(
  { read, hasEnded, onSlow }: PollTask<T>,
  { now, pause }: PollOptions = REAL,
): Promise<T> {
  const start = now();
  const deadline = start + LONGEST_WAIT_MS;
  let isTold = onSlow === undefined;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const value = await read();
    const leftMs = deadline - now();
    if (hasEnded(value) || leftMs <= 0) return value;
    if (!isTold && now() - start >= SLOW_MS) {
      isTold = true;
      await onSlow?.(value);
    }
    await pause(Math.min(pauseMs, leftMs));
  }
}
