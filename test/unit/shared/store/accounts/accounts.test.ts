import { afterEach, beforeEach, expect, test } from 'vitest';
import { AccountId, UserId } from '../../../../../shared/domain/id.ts';
import { FakeClock } from '../../../../../infra/embedded/clock.ts';
import { accountStore, type NamedAccount } from '../../../../../shared/store/accounts/accounts.ts';
import { readCounts } from '../../../../../shared/store/table/counts.ts';
import { type EventTable, openEventTable } from '../../../../support/event-table.ts';
import { repeatingTable } from '../../../../support/repeating-table.ts';

let opened: EventTable;
beforeEach(async () => {
  opened = await openEventTable({ clock: new FakeClock() });
});
afterEach(() => opened.close());

const ownerId = UserId.parse('u_1');
const account = (id: string, name: string): NamedAccount => ({
  id: AccountId.parse(id),
  ownerId,
  app: 'some_app',
  name,
  hasReservedName: true,
  fieldNames: ['token'],
  sealed: { dataKey: 'k', nonce: 'n', text: 't' },
  createdAt: 1,
  version: 0,
});
const names = async () => [...(await accountStore(opened.table).takenNames(ownerId, 'some_app'))].sort();
const counted = async () => (await readCounts(opened.table, ownerId)).accounts;

test('names of one app are not those of another whose slug begins alike, and may have any character', async () => {
  const store = accountStore(opened.table);
  await store.create({ ...account('apn_1', 'a#b/ü %'), app: 'some' }, 10);
  await store.create({ ...account('apn_2', 'x'), app: 'some_app' }, 10);
  expect(await store.takenNames(ownerId, 'some')).toEqual(new Set(['a#b/ü %']));
  expect(await store.create({ ...account('apn_3', 'a#b/ü %'), app: 'some' }, 10)).toBe(false);
});

test('a change under another name is refused when the account was changed meanwhile, and takes no name', async () => {
  const store = accountStore(opened.table);
  const made = account('apn_1', 'one');
  await store.create(made, 10);
  const changed = await store.change(made, { fieldNames: ['a'] });
  expect(await store.rename(made, 'two', { limit: 10 })).toBeUndefined();
  expect(await names()).toEqual(['one']);
  if (!changed) expect.fail('the change was refused');
  expect(await store.rename(changed, 'two', { limit: 10 })).toMatchObject({ name: 'two', fieldNames: ['a'] });
  expect(await names()).toEqual(['two']);
  expect(await counted()).toBe(1);
});

test('a removal of an account that was renamed since it was read removes the new name', async () => {
  const store = accountStore(opened.table);
  const made = account('apn_1', 'one');
  await store.create(made, 10);
  await store.rename(made, 'two', { limit: 10 });
  expect(await store.remove(made)).toBe(true);
  expect(await names()).toEqual([]);
  expect(await counted()).toBe(0);
  expect(await store.remove(made)).toBe(false);
  expect(await counted()).toBe(0);
});

test('requests whose responses are lost are made once', async () => {
  const store = accountStore(repeatingTable(opened.table));
  const made = account('apn_1', 'one');
  expect(await store.create(made, 10)).toBe(true);
  const renamed = await store.rename(made, 'two', { limit: 10 });
  expect(renamed).toMatchObject({ name: 'two', version: 1 });
  expect([await names(), await counted()]).toEqual([['two'], 1]);
  expect(await store.remove({ ...made, name: 'two' })).toBe(true);
  expect([await names(), await counted()]).toEqual([[], 0]);
});
