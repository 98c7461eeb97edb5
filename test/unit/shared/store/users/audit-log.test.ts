import { expect, onTestFinished, test } from 'vitest';
import { FakeClock } from '../../../../../infra/embedded/clock.ts';
import { UserId } from '../../../../../shared/domain/id.ts';
import { KEPT_ENTRIES, type NewAuditEntry } from '../../../../../shared/domain/user/audit-entry.ts';
import { DAY_MS } from '../../../../../shared/lib/durations.ts';
import { encodeCursor } from '../../../../../shared/store/table/cursor.ts';
import { auditCountKey, auditPartition } from '../../../../../shared/store/table/keys.ts';
import { putItem, queryAll, wholePartition } from '../../../../../shared/store/table/table-client.ts';
import { auditLog } from '../../../../../shared/store/users/audit-log.ts';
import { openEventTable } from '../../../../support/event-table.ts';

const user = UserId.parse('u_1');
/** An entry of these tests is smaller than 256 bytes; 4 KB are a read unit. */
const ENTRY_UNITS = 256 / 4_096;

async function openLog() {
  const clock = new FakeClock();
  const units = { write: 0, read: 0 };
  const { table, close } = await openEventTable({
    clock,
    onConsumed: (_table, _operation, { write = 0, read = 0 }) => {
      units.write += write;
      units.read += read;
    },
  });
  onTestFinished(close);
  const log = auditLog(table);
  const entry = (changes: Partial<NewAuditEntry> = {}): NewAuditEntry => ({
    at: clock.now(),
    by: { kind: 'key', id: 'key_1', name: 'shop' },
    operation: 'updateWebhook',
    ids: ['wh_1'],
    hidden: [],
    isShortened: false,
    ...changes,
  });
  const page = (request: { limit?: number; after?: number; before?: number } = {}, filter = {}) => {
    const cursor = (number: number | undefined) =>
      number === undefined ? undefined : encodeCursor({ list: 'changes', ownerId: user }, String(number));
    const { limit = 10, after, before } = request;
    const cursors = { limit, after: cursor(after), before: cursor(before) };
    return log.page(user, { request: cursors, filter, now: clock.now() });
  };
  const numbers = async (...request: Parameters<typeof page>) =>
    (await page(...request)).items.map(({ number }) => number);
  return { clock, table, log, entry, page, numbers, units };
}

test('entries are listed newest first, in pages in both directions', async () => {
  const { log, entry, page, numbers } = await openLog();
  for (let n = 0; n < 7; n += 1) await log.add(user, entry());
  expect(await numbers({ limit: 3 })).toEqual([7, 6, 5]);
  expect(await numbers({ limit: 3, after: 5 })).toEqual([4, 3, 2]);
  expect(await numbers({ limit: 3, after: 2 })).toEqual([1]);
  expect(await numbers({ limit: 3, before: 2 })).toEqual([5, 4, 3]);
  expect((await page({ limit: 3, after: 5 })).totalCount).toBe(7);
  await expect(log.page(UserId.parse('u_2'), { request: { limit: 1 }, filter: {}, now: 0 })).resolves.toEqual({
    items: [],
    totalCount: 0,
    start: undefined,
    end: undefined,
  });
});

test('filters keep changes of a key, of an operation and of a time', async () => {
  const { clock, log, entry, numbers } = await openLog();
  const start = clock.now();
  await log.add(user, entry());
  clock.advance(DAY_MS);
  await log.add(user, entry({ operation: 'deleteSource' }));
  clock.advance(DAY_MS);
  await log.add(user, entry({ by: { kind: 'operator' }, operation: 'admin users suspend' }));
  expect(await numbers({}, { key: 'key_1' })).toEqual([2, 1]);
  expect(await numbers({}, { key: 'shop' })).toEqual([2, 1]);
  expect(await numbers({}, { operation: 'deleteSource' })).toEqual([2]);
  expect(await numbers({}, { since: start + DAY_MS })).toEqual([3, 2]);
  expect(await numbers({}, { until: start + DAY_MS })).toEqual([1]);
});

test('an entry ends after 90 days, also while the table still has it', async () => {
  const { clock, table, log, entry, numbers } = await openLog();
  await log.add(user, entry());
  const items = await queryAll(table, wholePartition(auditPartition(user)));
  const end = Math.ceil((clock.now() + 90 * DAY_MS) / 1_000);
  // Their number, too: a request that ends after its user was removed leaves nothing for ever.
  expect(items.map(({ expiresAt }) => expiresAt)).toEqual([end, end]);
  clock.advance(90 * DAY_MS - 1);
  await log.add(user, entry());
  expect(await numbers()).toEqual([2, 1]);
  clock.advance(2);
  expect(await numbers()).toEqual([2]);
});

test('the newest 10,000 entries stay, and pages pass the end of the ring', async () => {
  const { table, log, entry, numbers } = await openLog();
  await putItem(table, { Item: { ...auditCountKey(user), entries: KEPT_ENTRIES - 3 } });
  for (let n = 0; n < 6; n += 1) await log.add(user, entry());
  const [newest, ...others] = [3, 2, 1, 0, -1, -2].map((n) => KEPT_ENTRIES + n);
  expect(await numbers()).toEqual([newest, ...others]);
  expect(await numbers({ limit: 2, after: KEPT_ENTRIES + 1 })).toEqual([KEPT_ENTRIES, KEPT_ENTRIES - 1]);
  expect(await numbers({ limit: 3, before: KEPT_ENTRIES - 1 })).toEqual([2, 1, 0].map((n) => KEPT_ENTRIES + n));
  // The next lap replaces the oldest entries.
  await putItem(table, { Item: { ...auditCountKey(user), entries: 2 * KEPT_ENTRIES - 3 } });
  for (let n = 0; n < 2; n += 1) await log.add(user, entry());
  const stored = await queryAll(table, wholePartition(auditPartition(user)));
  expect(stored).toHaveLength(1 + 6);
  expect(await numbers()).toEqual([
    2 * KEPT_ENTRIES - 1,
    2 * KEPT_ENTRIES - 2,
    ...[3, 2, 1, 0].map((n) => KEPT_ENTRIES + n),
  ]);
});

test('100 changes at once have 100 entries, for two small writes each', async () => {
  const { log, entry, page, units } = await openLog();
  await Promise.all(Array.from({ length: 100 }, () => log.add(user, entry())));
  expect(units.write).toBe(200);
  const { items, totalCount } = await page({ limit: 100 });
  expect([new Set(items.map(({ number }) => number)).size, totalCount]).toEqual([100, 100]);
});

test('at most 1,000 entries are counted', async () => {
  const { log, entry, page } = await openLog();
  for (let n = 0; n < 1_001; n += 1) await log.add(user, entry());
  expect((await page()).totalCount).toBe(1_000);
});

test('a request looks through 1,000 entries, and its cursor goes on until the end', async () => {
  const { log, entry, page, units } = await openLog();
  await log.add(user, entry({ operation: 'deleteSource' }));
  for (let n = 0; n < 2_100; n += 1) await log.add(user, entry());
  await log.add(user, entry({ operation: 'deleteSource' }));
  const of = async (request: { after?: number; before?: number; limit?: number }, operation: string) => {
    units.read = 0;
    const { items, start, end } = await page({ limit: 5, ...request }, { operation });
    expect(units.read, JSON.stringify(request)).toBeLessThanOrEqual(2 * 1_200 * ENTRY_UNITS);
    return [items.map(({ number }) => number), start, end];
  };
  expect(await of({}, 'deleteSource')).toEqual([[2_102], 2_102, 1_103]);
  expect(await of({ after: 1_103 }, 'deleteSource')).toEqual([[], undefined, 103]);
  expect(await of({ after: 103 }, 'deleteSource')).toEqual([[1], 1, 1]);
  expect(await of({ after: 1 }, 'deleteSource')).toEqual([[], undefined, undefined]);
  expect(await of({ before: 1 }, 'deleteSource')).toEqual([[], 1_001, undefined]);
  expect(await of({ before: 1_001 }, 'deleteSource')).toEqual([[], 2_001, undefined]);
  expect(await of({ before: 2_001 }, 'deleteSource')).toEqual([[2_102], 2_102, 2_102]);
  // A full page ends at its last entry.
  expect(await of({ limit: 2 }, 'updateWebhook')).toEqual([[2_101, 2_100], 2_101, 2_100]);
  expect(await of({ after: 4, limit: 2 }, 'updateWebhook')).toEqual([[3, 2], 3, 2]);
  expect((await page({}, { operation: 'deleteSource' })).totalCount).toBe(1);
});

test('nothing stays after a removal', async () => {
  const { table, log, entry } = await openLog();
  for (let n = 0; n < 30; n += 1) await log.add(user, entry());
  await log.removeAll(user);
  expect(await queryAll(table, wholePartition(auditPartition(user)))).toEqual([]);
});

test('a number without an entry shows no older entry in its place', async () => {
  const { table, log, entry, numbers } = await openLog();
  await log.add(user, entry());
  const count = (entries: number) => putItem(table, { Item: { ...auditCountKey(user), entries } });
  await count(KEPT_ENTRIES);
  expect(await numbers()).toEqual([1]);
  await count(KEPT_ENTRIES + 1);
  expect(await numbers()).toEqual([]);
  await log.add(user, entry());
  expect(await numbers()).toEqual([KEPT_ENTRIES + 2]);
});
