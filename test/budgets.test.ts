import { beforeAll, describe, expect, test } from 'vitest';
import { startTestCloud } from './support/cloud.ts';
import { type Counted, counted } from './support/counted.ts';
import { pricePerMillion } from './support/price.ts';

/** design.md, "Budgets": counted, so they hold on any machine. */
describe.each([
  { webhooks: 1, events: 1_000, batches: 'full', text: 100, writes: 2.3, reads: 0.7, sqs: 1.6, price: 4 },
  { webhooks: 10, events: 400, batches: 'full', text: 100, writes: 2.3, reads: 1.2, sqs: 1.6, price: 5.5 },
  { webhooks: 1, events: 100, batches: 'one', text: 100, writes: 4.2, reads: 4, sqs: 6.1, price: 8.5 },
  { webhooks: 10, events: 60, batches: 'one', text: 100, writes: 4.2, reads: 9, sqs: 6.1, price: 10 },
  { webhooks: 1, events: 600, batches: 'full', text: 1_000, writes: 4.3, reads: 0.8, sqs: 1.6, price: 6 },
] as const)(
  'an event of $text bytes in batches of $batches to $webhooks webhooks costs at most',
  ({ writes, reads, sqs, price, ...setting }) => {
    let figures: Counted;

    beforeAll(async () => {
      figures = await counted(startTestCloud, setting);
    });

    test(`${writes} write units`, () => {
      expect(figures.writeUnits, JSON.stringify(figures.writeUnitsByOperation)).toBeLessThanOrEqual(writes);
    });

    test(`${reads} read units`, () => {
      expect(figures.readUnits, JSON.stringify(figures.readUnitsByOperation)).toBeLessThanOrEqual(reads);
    });

    test(`${sqs} SQS requests`, () => {
      expect(figures.sqsRequests, JSON.stringify(figures.requestsByQueue)).toBeLessThanOrEqual(sqs);
    });

    test(`$${price} per million`, () => {
      expect(pricePerMillion(figures)).toBeLessThanOrEqual(price);
    });
  },
);

test('dedupe costs at most 0.1 write units more', async () => {
  const [plain, unique] = [
    await counted(startTestCloud, { webhooks: 0, events: 400, batches: 'full' }),
    await counted(startTestCloud, { webhooks: 0, events: 400, batches: 'full', dedupe: true }),
  ];
  expect(unique.writeUnits - plain.writeUnits).toBeLessThanOrEqual(0.1);
});
