import { afterEach, beforeEach, expect, test } from 'vitest';
import { emits, ended } from '../../../../support/world/script.ts';
import { type World, openWorld } from '../../../../support/world/world.ts';

let stage: World;
beforeEach(async () => {
  stage = await openWorld();
  await stage.user();
});
afterEach(() => stage.close());

test('a batch that is paused until others have run its triggers and later ones saves nothing over them', async () => {
  const source = await stage.source();
  const received = stage.received(Array.from({ length: 7 }, (_, n) => stage.trigger(source, { n })));
  let hasPaused = false;
  stage.control.script = async (job) => {
    if (!hasPaused) {
      hasPaused = true;
      // The visibility timeout ends, and the messages are received again.
      await stage.execute(received.slice(0, 3));
      await stage.execute(received.slice(3, 6));
    }
    return [emits(job.kind === 'run' ? job.event : '{}'), ended()];
  };
  await stage.execute(received.slice(0, 1));
  await stage.execute(received.slice(6));
  const events = await stage.services.events.latest(source.id, 'default');
  expect(events.map(({ json }) => (JSON.parse(json) as { n: number }).n).reverse()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  const { state } = await stage.services.emitters.load(source.id);
  expect(state.done?.sequence).toBe(received.at(-1)?.sequence);
});
