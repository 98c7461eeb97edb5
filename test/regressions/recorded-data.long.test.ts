import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FakeClock } from '../../infra/embedded/clock.ts';
import { noFaults } from '../../infra/embedded/faults.ts';
import { RecordedReceiver } from '../programs/recorded/recorded-receiver.ts';
import { recorded } from '../programs/recorded/unpack.ts';
import { Scene } from '../support/scene.ts';
import { travel } from '../support/travel.ts';
import { until } from '../support/until.ts';

/**
 * A data directory of an earlier release lost the deliveries that waited for a retry. Each release leaves a recording,
 * ten years ahead, which ended by `kill -9`; `test/programs/recorded/record.ts` says what was under way. Here the
 * template of this release is deployed over it. The one without a version is of 0.1.0.
 */
const recordings = readdirSync(join('test', 'programs', 'recorded')).flatMap((file) =>
  file.endsWith('.tar.gz') ? [file.replace('.tar.gz', '')] : [],
);

const HOUR = 3_600_000;

test.each(recordings)('everything that was under way in the data of the recording %s goes on', async (name) => {
  const data = recorded(name);
  const receiver = await RecordedReceiver.start();
  const clock = new FakeClock(data.at + 1_000);
  const scene = await Scene.open({ clock, faults: noFaults, fillData: data.fill });
  onTestFinished(async () => {
    await scene.close();
    await receiver.stop();
  });
  const eventsOf = async (role: string) => (await scene.events(data.idOf(role))).map(({ event }) => event as unknown);
  const ticksOf = async (role: string) => (await eventsOf(role)).length;

  // The clock stands still: no lease of the ended process ends.
  await until('the recovery', () => receiver.bodiesOf('recovering').length > 0);
  expect(receiver.bodiesOf('recovering')[0]).toContain('"kept":"recovery"');
  // The limits of a run count by the clock.
  await until('the trigger in flight', async () => {
    clock.advance(100);
    return (await eventsOf('slow')).length === 1;
  });
  expect(await eventsOf('slow')).toEqual([{ kept: 'trigger' }]);
  const held = await scene.api.get(`/webhooks/${data.idOf('held')}/deliveries`);
  expect(held.body.data).toMatchObject([{ status: 'held' }]);
  expect(receiver.bodiesOf('held')).toEqual([]);

  const [hourly, often] = [await ticksOf('hourly'), await ticksOf('often')];
  const options = { byMs: 2 * HOUR, stepMs: 15_000, isBusy: scene.isBusy };
  await travel(clock, options, () => receiver.bodiesOf('failing').length > 0);
  expect(receiver.bodiesOf('failing')[0]).toContain('"kept":"retry"');
  const hasTicked = async () => (await ticksOf('hourly')) > hourly && (await ticksOf('often')) > often;
  // The emit is due some seconds after the tick of the hour.
  const isEmitted = async () => JSON.stringify(await eventsOf('echo')).includes('"kept":"delayed"');
  expect(await travel(clock, options, async () => (await hasTicked()) && isEmitted())).toBe(true);
  expect(await eventsOf('echo')).toContainEqual({ kept: 'retry' });
});
