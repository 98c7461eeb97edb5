import type { RunTrigger } from '../../domain/run/message.ts';
import { type EndedRun, lineOf } from '../../domain/run/run-record.ts';
import { isReserved } from '../../domain/event/stream.ts';
import type { Numbered, Planned } from '../commit/number-events.ts';
import type { Plan } from './plan.ts';
import { CRASHED, type JobResult } from './job-result.ts';

type Trigger = Pick<RunTrigger, 'at'>;

/** The record of a trigger whose job has a result. */
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

/** The lines of the records of a batch, with the numbers of their events, which are in the order of their triggers. */
export function recordLines(planned: readonly Planned[], numbered: readonly Numbered[]): string {
  let lines = '';
  let next = 0;
  for (const { triggerId: id, ended } of planned) {
    let emitted = 0;
    for (let event = numbered[next]; event?.triggerId === id; event = numbered[next]) {
      if (!isReserved(event.stored.stream)) emitted += 1;
      next += 1;
    }
    if (ended) lines += lineOf(id, ended, emitted);
  }
  return lines;
}
