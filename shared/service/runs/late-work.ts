import { logEvent } from '../../domain/run/log-event.ts';
import type { LateCounts } from '../../domain/run/run.ts';
import { LOGS_STREAM } from '../../domain/event/stream.ts';
import type { JobResult } from './job-result.ts';
import type { PlannedEvent } from '../commit/planned-event.ts';

/**
 * The `$logs` events about late work that these results report, one for each run that went on after its end. They come after all other
 * events of a commit: a repetition may not report them again, and the others must keep their ids.
 */
export const lateEvents = (results: readonly Pick<JobResult, 'late'>[], now: number): PlannedEvent[] =>
  results.flatMap(({ late = [] }) =>
    late.flatMap(({ run, counts }) => {
      const msg = lateText(counts);
      const json = msg === undefined ? undefined : logEvent(run, [{ level: 'console.warn', ts: now, msg }]);
      return json === undefined ? [] : [{ stream: LOGS_STREAM, json, identity: `late-${run}` }];
    }),
  );

/** Undefined for counts of which each is 0. */
function lateText({ emits, logs, writes, responses, errors }: LateCounts): string | undefined {
  const done = [
    ...counted('emitted', emits, 'event'),
    ...counted('wrote', logs, 'log line'),
    ...counted('called db.set', writes, 'time'),
    ...counted('called respond', responses, 'time'),
    ...counted('threw', errors, 'error'),
  ];
  if (done.length === 0) return undefined;
  const all = [done.slice(0, -1).join(', '), ...done.slice(-1)].filter((part) => part !== '').join(' and ');
  return `After this run had ended, the component ${all}. All of it is lost: await asynchronous work in run and in hooks`;
}

const counted = (verb: string, count: number, noun: string): string[] =>
  count === 0 ? [] : [`${verb} ${count} ${noun}${count === 1 ? '' : 's'}`];
