import { type Chain, reportChainOf } from '../../domain/run/chain.ts';
import { shortHash } from '../../domain/event/emit-id.ts';
import { SourceId, type UserId } from '../../domain/id.ts';
import { logEvent } from '../../domain/run/log-event.ts';
import type { EmitTrigger } from '../../domain/run/message.ts';
import type { LateCounts } from '../../domain/run/run.ts';
import { LOGS_STREAM } from '../../domain/event/stream.ts';
import type { JobResult } from './job-result.ts';
import type { PlannedEvent } from '../commit/planned-event.ts';

/** Calls that the component of a source made after a run, or a hook, had ended. */
export interface LateReport {
  ownerId: UserId;
  sourceId: string;
  run: string;
  /** The chain of the run; absent for a hook. */
  chain?: Chain | undefined;
  counts: LateCounts;
}

/**
 * The `$logs` events about late work that these results report, one for each run that went on after its end. They come
 * after all other events of a commit: a repetition may not report them again, and the others must keep their ids.
 */
export const lateEvents = (results: readonly Pick<JobResult, 'late'>[], now: number): PlannedEvent[] =>
  results.flatMap(({ late = [] }) =>
    late.flatMap((line) => {
      const json = lateEvent(line, now);
      return json === undefined ? [] : [{ stream: LOGS_STREAM, json, identity: `late-${line.run}` }];
    }),
  );

/**
 * The trigger that emits the event. Its id follows from the run, so that a report that is sent again is emitted once.
 */
export function lateTrigger(report: LateReport, at: number): EmitTrigger | undefined {
  const { ownerId, sourceId, run, chain = { hops: 0 } } = report;
  const json = lateEvent(report, at);
  const emitterId = SourceId.safeParse(sourceId).data;
  if (json === undefined || emitterId === undefined) return undefined;
  const id = `late-${shortHash(`${sourceId}\0${run}`)}`;
  const event = { stream: LOGS_STREAM, payload: { json } };
  return { kind: 'emit', id, emitterId, ownerId, at, ...event, ...reportChainOf(chain) };
}

function lateEvent({ run, counts }: Pick<LateReport, 'run' | 'counts'>, now: number): string | undefined {
  const msg = lateText(counts);
  return msg === undefined ? undefined : logEvent(run, [{ level: 'console.warn', ts: now, msg }]);
}

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
