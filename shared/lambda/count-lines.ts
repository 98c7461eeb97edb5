import type { EmitterId } from '../domain/id.ts';
import { addTally, tallyOfAttempt } from '../domain/metrics/tally.ts';
import { COUNTS_MESSAGE, newServiceTimes, REFUSED, type ServiceCounts } from '../domain/metrics/service-counts.ts';
import { intervalWriter } from './interval-writer.ts';
import type { ServiceMetrics, ServiceMetricsOptions } from './service-metrics.ts';

/** Counts for the process that runs the functions, where no CloudWatch is. */
export function createServiceCounts(options: ServiceMetricsOptions): ServiceMetrics {
  let counts = new Map<string, number>();
  let times = newServiceTimes();
  /** Triggers in backlogs by emitter; the backlogs themselves are in the table. */
  const backlogs = new Map<EmitterId, number>();

  const changed = intervalWriter(options, () => {
    const { run, attempt, delivery } = times;
    const written: ServiceCounts = {
      counts: Object.fromEntries(counts),
      times: { run: run.counts, attempt: attempt.counts, delivery: delivery.counts },
      backlogs: { count: backlogs.size, triggers: [...backlogs.values()].reduce((sum, each) => sum + each, 0) },
    };
    counts = new Map();
    times = newServiceTimes();
    options.write({ level: 'info', message: COUNTS_MESSAGE, function: options.functionName, ...written });
  });

  function setBacklog(emitterId: EmitterId, count: number): void {
    if ((backlogs.get(emitterId) ?? 0) === count) return;
    if (count === 0) backlogs.delete(emitterId);
    else backlogs.set(emitterId, count);
    changed();
  }

  return {
    ran(tally, runMs) {
      addTally(counts, tally);
      for (const ms of runMs) times.run.add(ms);
      changed();
    },
    refused() {
      addTally(counts, new Map([[REFUSED, 1]]));
      changed();
    },
    waits: setBacklog,
    waitsMore: (emitterId, count) => setBacklog(emitterId, (backlogs.get(emitterId) ?? 0) + count),
    attempted({ isDelivered, status, ms, latencyMs }) {
      addTally(counts, tallyOfAttempt({ isDelivered, status }));
      times.attempt.add(ms);
      if (isDelivered && latencyMs !== undefined) times.delivery.add(latencyMs);
      changed();
    },
  };
}
