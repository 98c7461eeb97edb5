import type { RunRecord } from '../../domain/run/run-record.ts';
import type { RequestedRun } from '../../store/emitters/run-records.ts';

/** The record of one trigger. A requested run has no end yet. */
export function showRun(run: RunRecord | RequestedRun) {
  const { id, receivedAt, startedAt = null } = run;
  if (!('endedAt' in run)) {
    const state = startedAt === null ? ('waiting' as const) : ('running' as const);
    return { id, state, received_at_ms: receivedAt, started_at_ms: startedAt, ...NOT_ENDED };
  }
  const { state, endedAt, emitted, error } = run;
  return {
    id,
    state,
    received_at_ms: receivedAt,
    started_at_ms: startedAt,
    ended_at_ms: endedAt,
    emitted,
    error: error === undefined ? null : { code: error.code, message: error.message },
  };
}

const NOT_ENDED = { ended_at_ms: null, emitted: 0, error: null };
