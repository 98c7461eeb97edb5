import {
  COUNTS_MESSAGE,
  newServiceTimes,
  SERVICE_TIMES,
  ServiceCounts,
} from '../../../shared/domain/metrics/service-counts.ts';
import { addTally } from '../../../shared/domain/metrics/tally.ts';
import type { LogLine } from '../lambda/private-process.ts';

/** The start of a line with counts. No other line has it: texts of users stand inside of JSON strings. */
const START = `{"level":"info","message":"${COUNTS_MESSAGE}",`;

/** Sums of what the functions have counted since the start. */
export class ServiceTotals {
  /** By the name of a count in a tally. */
  readonly counts = new Map<string, number>();
  readonly times = newServiceTimes();
  /** By name of the function. */
  readonly #backlogs = new Map<string, ServiceCounts['backlogs']>();

  /** Sources with a backlog, and the triggers that wait in it. */
  get backlogs(): ServiceCounts['backlogs'] {
    const sum = { count: 0, triggers: 0 };
    for (const { count, triggers } of this.#backlogs.values()) {
      sum.count += count;
      sum.triggers += triggers;
    }
    return sum;
  }

  /** Adds the counts of a line of the log. False for other lines. */
  read({ functionName, text }: Pick<LogLine, 'functionName' | 'text'>): boolean {
    if (!text.startsWith(START)) return false;
    const { success, data } = ServiceCounts.safeParse(JSON.parse(text));
    if (!success) return false;
    addTally(this.counts, new Map(Object.entries(data.counts)));
    for (const name of SERVICE_TIMES) this.times[name].merge(data.times[name]);
    this.#backlogs.set(functionName, data.backlogs);
    return true;
  }
}
