import { isReserved } from '../../domain/event/stream.ts';
import { lineOf } from '../../domain/run/run-record.ts';
import type { Numbered, Planned } from './number-events.ts';

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
