import { setTimeout as delay } from 'node:timers/promises';
import type { Api } from '../session/api.ts';
import { Run } from '../session/response-schemas.ts';

/** A run that has not ended within this time is not waited for. */
export const LONGEST_WAIT_MS = 65_000;

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;

interface WaitOptions {
  /** Ms of a clock that never goes back. */
  now(): number;
  pause(ms: number): Promise<unknown>;
}

/** Waits until a run has ended. After the longest wait, the run as it then is: its `ended_at_ms` is null. */
export async function waitForRun(
  api: Pick<Api, 'get'>,
  { sourceId, triggerId }: { sourceId: string; triggerId: string },
  { now, pause }: WaitOptions = { now: () => performance.now(), pause: delay },
): Promise<Run> {
  const path = `/sources/${encodeURIComponent(sourceId)}/runs/${encodeURIComponent(triggerId)}`;
  const deadline = now() + LONGEST_WAIT_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const run = await api.get(path, Run);
    const leftMs = deadline - now();
    if (run.ended_at_ms !== null || leftMs <= 0) return run;
    await pause(Math.min(pauseMs, leftMs));
  }
}

/** Run time; undefined for a run that did not start. */
export const runMs = ({ started_at_ms: start, ended_at_ms: end }: Run): number | undefined =>
  start === null || end === null ? undefined : end - start;
