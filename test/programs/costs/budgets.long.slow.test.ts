import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { pricePerMillion, unitsOfIdle, unitsOfPolling } from './model.ts';
import { dollars } from './prices.ts';
import { differing, differingAccount, differingWaiting, readRecorded } from './recorded.ts';
import { ACCOUNT_BUDGETS, IDLE_BUDGET, POLLING_BUDGET, settings, WAITING_BUDGET } from './settings.ts';
import { PAGE, withTables } from './tables.ts';
import { startTestCloud, testAssembly } from '../../support/cloud.ts';
import { type Counted, type CountedSetting, counted } from '../../support/counted.ts';
import { type CountedAccounts, countedAccounts } from '../../support/counted-accounts.ts';
import { type CountedPolls, countedPolls } from '../../support/counted-polls.ts';
import { countedWaiting } from '../../support/counted-waiting.ts';
import { Scene } from '../../support/scene.ts';
import type { Template } from '../../support/template.ts';

/** Counted once for each setting. */
const remembered = new Map<string, Promise<Counted>>();
function countsOf(setting: CountedSetting): Promise<Counted> {
  const key = JSON.stringify(setting);
  const counts = remembered.get(key) ?? counted(startTestCloud, setting);
  remembered.set(key, counts);
  return counts;
}

const recorded = readRecorded();
const template = testAssembly().template as Template;

/** Write units of the delivery log for each delivery that succeeds at once. */
const LOG = { full: 0.15, one: 1 };

/**
 * The budgets of docs/costs.md. They are counted, so they hold on any machine. `writes` are those of a stored event,
 * without its deliveries.
 */
describe.each(settings)(
  'an event ($body) in batches of $batches to $webhooks webhooks costs at most',
  ({ writes, reads, sqs, price, ...setting }) => {
    let counts: Counted;

    beforeAll(async () => {
      counts = await countsOf(setting);
    });

    const log = setting.webhooks * LOG[setting.batches];
    test(`${writes} write units, and ${log} for the delivery log`, () => {
      expect(counts.writeUnits, JSON.stringify(counts.writeUnitsByOperation)).toBeLessThanOrEqual(writes + log);
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

    test('as much as docs/costs.md says (npm run cost-tables)', () => {
      const { webhooks, batches, body } = setting;
      const shown = recorded.events.find(
        (each) => each.webhooks === webhooks && each.batches === batches && each.body === body,
      );
      expect(shown && differing(counts, shown), JSON.stringify([counts, shown])).toEqual([]);
    });
  },
);

describe('polling every minute with a run of 3 s', () => {
  let counts: CountedPolls;

  beforeAll(async () => {
    counts = await countedPolls(startTestCloud);
  });

  test(`costs at most $${POLLING_BUDGET} a month, everything included`, () => {
    const units = unitsOfPolling(counts, { everySeconds: 60, runMs: 3_000 });
    expect(dollars(units), JSON.stringify(units)).toBeLessThanOrEqual(POLLING_BUDGET);
  });

  test('uses what docs/costs.md says (npm run cost-tables)', () => {
    expect(differing(counts, recorded.poll), JSON.stringify(counts)).toEqual([]);
  });
});

test('a trigger that waits in a backlog uses at most 2.3 write units more, and what docs/costs.md says (npm run cost-tables)', async () => {
  const counts = await countedWaiting();
  expect(counts.writeUnits).toBeLessThanOrEqual(WAITING_BUDGET.writeUnits);
  expect(counts.readUnits).toBeLessThanOrEqual(WAITING_BUDGET.readUnits);
  expect(differingWaiting(counts, recorded.waiting), JSON.stringify(counts)).toEqual([]);
});

describe('an account of kind oauth', () => {
  let counts: CountedAccounts;

  beforeAll(async () => {
    counts = await countedAccounts(startTestCloud);
  });

  test.each(['run', 'renewal', 'check'] as const)(
    'keeps the budget of a %s, and what docs/costs.md says (npm run cost-tables)',
    (part) => {
      const budget = ACCOUNT_BUDGETS[part];
      for (const name of ['writeUnits', 'readUnits', 'keyRequests', 'invocations', 'tokenRequests'] as const)
        expect(counts[part][name], `${name} of ${JSON.stringify(counts)}`).toBeLessThanOrEqual(budget[name]);
      expect(differingAccount(counts[part], recorded.account[part]), JSON.stringify(counts)).toEqual([]);
    },
  );
});

test(`a stack without sources costs at most $${IDLE_BUDGET} a month`, () => {
  expect(dollars(unitsOfIdle(template))).toBeLessThanOrEqual(IDLE_BUDGET);
});

test('docs/costs.md has the counts, the prices and the sizes of the stack (npm run cost-tables -- --keep)', () => {
  const page = readFileSync(PAGE, 'utf8');
  expect(page).toBe(withTables(page, recorded, template));
});

/** The ids are part of the state, which is saved once a batch: how full batches were makes no difference here. */
test('dedupe costs at most 0.1 write units more with full batches', async () => {
  const costs = async (dedupe: object) => {
    const counts = await countsOf({ webhooks: 1, events: 300, batches: 'full', body: 'order', ...dedupe });
    const { PutItem: states = 0 } = counts.writeUnitsByOperation;
    return { perFullBatch: states * counts.perBatch, others: counts.writeUnits - states };
  };
  const [plain, unique] = [await costs({}), await costs({ dedupe: true })];
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
