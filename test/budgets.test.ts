import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startTestCloud } from './support/cloud.ts';
import { type Counted, counted } from './support/counted.ts';
import { pricePerMillion } from './support/price.ts';
import { Scene } from './support/scene.ts';

/** design.md, "Budgets": counted, so they hold on any machine. */
describe.each([
  { webhooks: 1, events: 500, batches: 'full', text: 100, writes: 2.3, reads: 0.7, sqs: 1.6, price: 4 },
  { webhooks: 10, events: 300, batches: 'full', text: 100, writes: 2.3, reads: 1.2, sqs: 1.6, price: 5.5 },
  { webhooks: 1, events: 100, batches: 'one', text: 100, writes: 4.2, reads: 4, sqs: 6.1, price: 8.5 },
  { webhooks: 10, events: 60, batches: 'one', text: 100, writes: 4.2, reads: 9, sqs: 6.1, price: 10 },
  { webhooks: 1, events: 400, batches: 'full', text: 1_000, writes: 4.3, reads: 0.8, sqs: 1.6, price: 6 },
] as const)(
  'an event of $text bytes in batches of $batches to $webhooks webhooks costs at most',
  ({ writes, reads, sqs, price, ...setting }) => {
    let counts: Counted;

    beforeAll(async () => {
      counts = await counted(startTestCloud, setting);
    });

    test(`${writes} write units`, () => {
      expect(counts.writeUnits, JSON.stringify(counts.writeUnitsByOperation)).toBeLessThanOrEqual(writes);
    });

    test(`${reads} read units`, () => {
      expect(counts.readUnits, JSON.stringify(counts.readUnitsByOperation)).toBeLessThanOrEqual(reads);
    });

    test(`${sqs} SQS requests`, () => {
      expect(counts.sqsRequests, JSON.stringify(counts.requestsByQueue)).toBeLessThanOrEqual(sqs);
    });

    test(`$${price} per million`, () => {
      expect(pricePerMillion(counts)).toBeLessThanOrEqual(price);
    });
  },
);

/** The ids are part of the state, which is saved once a batch: how full batches were makes no difference here. */
test('dedupe costs at most 0.1 write units more with full batches', async () => {
  const costs = async (dedupe: boolean) => {
    const counts = await counted(startTestCloud, { webhooks: 1, events: 400, batches: 'full', dedupe });
    const { PutItem: states = 0 } = counts.writeUnitsByOperation;
    return { perFullBatch: states * counts.perBatch, others: counts.writeUnits - states };
  };
  const [plain, unique] = [await costs(false), await costs(true)];
  // For ten events, rounded to a tenth of a unit.
  expect(Math.round((unique.perFullBatch - plain.perFullBatch) * 10) / 10).toBeLessThanOrEqual(10 * 0.1);
  expect(unique.others - plain.others).toBeLessThanOrEqual(0.05);
});

/** 10 KB of data rests in an item of its own, 250 KB in the bucket; both show a rendering of about 1 KB. */
test('listing 100 summaries costs at most 17 read units, whatever the bodies', async () => {
  let reads = 0;
  const scene = await Scene.open({
    onConsumed: (_table, _operation, { read }) => void (reads += read ?? 0),
  });
  onTestFinished(() => scene.close());
  const source = await scene.source(`export default {
    name: 'Large', version: '0.0.1',
    run() {
      for (let n = 0; n < 100; n += 1) {
        const text = 'x'.repeat(n % 20 ? 500 : 12_500);
        const texts = Array.from({ length: 20 }, (_, index) => ['field ' + index, text]);
        this.$emit({ n, ...Object.fromEntries(texts) }, { id: 'item ' + n, summary: 'What it is about. '.repeat(6), ts: n });
      }
    },
  };`);
  await scene.api.post(`/sources/${source.id}/run`, {});
  await scene.eventsOf(source.id, 100);
  const costs: number[] = [];
  for (let listing = 0; listing < 5; listing += 1) {
    reads = 0;
    const { body } = await scene.api.get(`/sources/${source.id}/event_summaries`, { limit: 100 });
    costs.push(reads);
    const events: unknown[] = body.data;
    expect(events).toHaveLength(100);
    expect(Math.min(...events.map((event) => JSON.stringify(event).length))).toBeGreaterThan(1_200);
  }
  // Fan-out of the events may still run during the first listing.
  expect(Math.min(...costs)).toBeLessThanOrEqual(17);
  expect(Math.min(...costs)).toBeGreaterThan(0);
});
