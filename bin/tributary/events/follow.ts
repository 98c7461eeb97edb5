import { setTimeout as delay } from 'node:timers/promises';
import { CommandFailure } from '../failures.ts';
import type { Session } from '../session/command-session.ts';

/** Time between two polls. */
const POLL_MS = 1_000;
/** A service that is away for longer ends a follow. */
const LONGEST_ABSENCE_MS = 30_000;

const PASSING = new Set(['unavailable', 'internal', 'overloaded', 'http_429', 'http_500', 'http_502', 'http_503']);
const isPassing = (error: unknown): boolean =>
  error instanceof CommandFailure && (error.exitCode === 3 || PASSING.has(error.report.code));

interface FollowOptions {
  everyMs?: number;
  signal?: AbortSignal;
}

/** Polls until Ctrl-C, which is a normal end. A service that restarts meanwhile is waited for. */
export async function follow(
  { terminal, output }: Session,
  poll: (signal: AbortSignal) => Promise<void>,
  { everyMs = POLL_MS, signal = terminal.interrupted() }: FollowOptions = {},
): Promise<void> {
  let absentSince: number | undefined;
  while (!signal.aborted) {
    try {
      await poll(signal);
      absentSince = undefined;
      await delay(everyMs, undefined, { signal }).catch(() => undefined);
    } catch (error) {
      if (signal.aborted) return;
      if (!isPassing(error)) throw error;
      const now = performance.now();
      if (absentSince === undefined && error instanceof Error) output.note(`${error.message} Trying again.`);
      absentSince ??= now;
      if (now - absentSince > LONGEST_ABSENCE_MS) throw error;
      await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
