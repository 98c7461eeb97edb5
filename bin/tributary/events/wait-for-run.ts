import type { Api } from '../session/api.ts';
import { Run } from '../session/response-schemas.ts';
import { type PollOptions, pollUntil } from './poll-until.ts';

interface WantedRun {
  sourceId: string;
  triggerId: string;
  /** Called once when the run has not ended after some seconds. */
  onSlow?: (run: Run) => Promise<void>;
}

/** Waits until a run has ended. After the longest wait, the run as it then is: its `ended_at_ms` is null. */
export function waitForRun(
  api: Pick<Api, 'get'>,
  { sourceId, triggerId, onSlow }: WantedRun,
  options?: PollOptions,
): Promise<Run> {
  const path = `/sources/${encodeURIComponent(sourceId)}/runs/${encodeURIComponent(triggerId)}`;
  return pollUntil(
    { read: () => api.get(path, Run), hasEnded: ({ ended_at_ms: end }) => end !== null, onSlow },
    options,
  );
}

/** Run time; undefined for a run that did not start. */
export const runMs = ({ started_at_ms: start, ended_at_ms: end }: Run): number | undefined =>
  start === null || end === null ? undefined : end - start;
