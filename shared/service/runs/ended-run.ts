import type { RunTrigger } from '../../domain/run/message.ts';
import type { EndedRun } from '../../domain/run/run-record.ts';
import type { Plan } from './plan.ts';
import { CRASHED, type JobResult } from './job-result.ts';

type Trigger = Pick<RunTrigger, 'at'>;

export function endedJob({ at }: Trigger, result: JobResult, now: number): EndedRun {
  const error = result.failure ?? (result.state === 'lost' ? CRASHED : result.errors[0]);
  return {
    state: error === undefined ? 'done' : 'failed',
    receivedAt: at,
    startedAt: result.startedAt,
    endedAt: result.endedAt ?? now,
    error,
  };
}

/** The record of a trigger without a job: dropped, reported, or passed on unchanged. */
export function endedPlan({ at }: Trigger, plan: Plan, now: number): EndedRun | undefined {
  if (plan.kind === 'nothing' && plan.isUnrecorded === true) return undefined;
  const { failure, isSkipped = false } = plan.kind === 'events' ? plan : { isSkipped: true };
  const state = isSkipped ? 'skipped' : failure === undefined ? 'done' : 'failed';
  return {
    state,
    receivedAt: at,
    startedAt: state === 'done' ? now : undefined,
    endedAt: now,
    error: failure,
  };
}
