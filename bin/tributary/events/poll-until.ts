import { setTimeout as delay } from 'node:timers/promises';

/** The longest wait for the end of a run or an attempt. */
export const LONGEST_WAIT_MS = 65_000;

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;

export interface PollOptions {
  /** Ms of a clock that never goes back. */
  now(): number;
  pause(ms: number): Promise<unknown>;
}

/** Reads a value until it has ended. After the longest wait, the value as it then is. */
export async function pollUntil<T>(
  read: () => Promise<T>,
  hasEnded: (value: T) => boolean,
  { now, pause }: PollOptions = { now: () => performance.now(), pause: delay },
): Promise<T> {
  const deadline = now() + LONGEST_WAIT_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const value = await read();
    const leftMs = deadline - now();
    if (hasEnded(value) || leftMs <= 0) return value;
    await pause(Math.min(pauseMs, leftMs));
  }
}
