import { pricePerMillion } from '../costs/model.ts';
import { settings } from '../costs/settings.ts';
import { counted } from '../../support/counted.ts';
import { prepareCounting } from '../../support/start-counting.ts';

const rounded = (value: number) => Math.round(value * 1000) / 1000;

/** Units per event that AWS would bill, and the work of one machine, counted on the embedded services. */
export async function budgets(): Promise<Record<string, unknown>[]> {
  /** Invocations by function. */
  const invocations = new Map<string, number>();
  const invoked = (name: RegExp) => [...invocations].find(([key]) => name.test(key))?.[1] ?? 0;
  const { start, remove } = await prepareCounting((name) => invocations.set(name, (invocations.get(name) ?? 0) + 1));
  const rows = [];
  for (const { webhooks, events, batches, body } of settings) {
    invocations.clear();
    const measurements = await counted(start, { webhooks, events: 2 * events, batches, body });
    rows.push({
      webhooks,
      events: 2 * events,
      batches,
      body,
      writeUnits: rounded(measurements.writeUnits),
      readUnits: rounded(measurements.readUnits),
      sqsRequests: rounded(measurements.sqsRequests),
      // In this process, which holds everything but the components.
      ...Object.fromEntries(Object.entries(measurements.work).map(([name, value]) => [name, rounded(value)])),
      dollarsPerMillion: rounded(pricePerMillion(measurements)),
      // Each batch of one source's triggers is one of both.
      sourceBatches: invoked(/^RunSourceFunction/),
      runnerInvocations: invoked(/^RunnerFunction/),
    });
  }
  remove();
  return rows;
}
