import { afterEach, beforeEach, expect, test } from 'vitest';
import { FakeClock } from '../../../../infra/embedded/clock.ts';
import { serviceMarkStore } from '../../../../shared/store/table/service-marks.ts';
import { type EventTable, openEventTable } from '../../../support/event-table.ts';

let opened: EventTable;
beforeEach(async () => {
  opened = await openEventTable({ clock: new FakeClock() });
});
afterEach(() => opened.close());

/** The marks of a stack in a region. The replica of a global table in another region has the same items. */
const marksIn = (region: string) => {
  const { table } = opened;
  const config = { ...table.dynamo.config, region: () => Promise.resolve(region) };
  return serviceMarkStore({ ...table, dynamo: Object.assign(Object.create(table.dynamo), { config }) });
};

test('a pause in one region pauses no stack in another one on a replica of the table', async () => {
  const [first, standby] = [marksIn('eu-central-1'), marksIn('eu-west-1')];
  await standby.pause(1_000, { api: true });
  await standby.setStalled(2_000);
  expect(await standby.read()).toEqual({ pausedAt: 1_000, stalledSince: 2_000 });
  expect(await standby.isApiPaused()).toBe(true);
  expect(await first.read()).toEqual({});
  expect(await first.isApiPaused()).toBe(false);
  await first.resume();
  expect(await standby.isApiPaused()).toBe(true);
  await standby.resume();
  await standby.setStalled(undefined);
  expect(await standby.read()).toEqual({});
  expect(await standby.isApiPaused()).toBe(false);
});

test('a pause without the API stops no changes', async () => {
  const marks = marksIn('eu-central-1');
  await marks.pause(1_000, { api: false });
  expect(await marks.isApiPaused()).toBe(false);
});
