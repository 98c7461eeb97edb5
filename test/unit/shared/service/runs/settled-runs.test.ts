import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ended } from '../../../../support/world/script.ts';
import { type World, openWorld } from '../../../../support/world/world.ts';

let stage: World;
beforeEach(async () => {
  stage = await openWorld();
  await stage.user();
});
afterEach(() => stage.close());

test('the payload of a trigger counts with its run, and not with an earlier attempt that did not start it', async () => {
  const source = await stage.source();
  const triggers = await Promise.all(
    [1, 2].map(async (n) => {
      const key = `payloads/${n}`;
      await stage.services.bucket.putText(key, '{}');
      return stage.trigger(source, {}, { payload: { key, bytes: 1_000 } });
    }),
  );
  const usage = vi.spyOn(stage.services.usages, 'add');
  const counted = () => usage.mock.calls.map(([, { payloadBytes }]) => payloadBytes);
  stage.control.script = ({ id }) => (id === triggers[0]?.id ? [ended()] : 'unstarted');
  expect((await stage.execute(stage.received(triggers))).completed).toBe(1);
  expect(counted()).toEqual([1_000]);
  stage.control.script = () => [ended()];
  await stage.execute(stage.received(triggers.slice(1)));
  expect(counted()).toEqual([1_000, 1_000]);
});
