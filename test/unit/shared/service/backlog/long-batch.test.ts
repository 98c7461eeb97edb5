import { afterEach, beforeEach, expect, test } from 'vitest';
import { BEHIND_AFTER_MS } from '../../../../../shared/domain/run/backlog-limits.ts';
import type { Source } from '../../../../../shared/domain/source/source.ts';
import { type BacklogWorld, backlogWorld } from '../../../../support/world/backlog.ts';
import { emits, ended } from '../../../../support/world/script.ts';

let world: BacklogWorld;
let source: Source;
beforeEach(async () => {
  world = await backlogWorld();
  world.control.script = () => [emits('{}'), ended()];
  source = await world.source({ hooks: ['deploy', 'activate', 'deactivate'] });
});
afterEach(() => world.close());

test('a batch of long runs starts none after its next trigger has waited for 60 s, so that the queue does not grow meanwhile', async () => {
  world.send(world.trigger(source, { n: 0 }));
  world.clock.advance(20_000);
  const secondAt = world.clock.now();
  world.send(world.trigger(source, { n: 1 }));
  world.clock.advance(30_000);
  await world.step('source');
  expect(world.requests.map(({ startBefore }) => startBefore)).toEqual([secondAt + BEHIND_AFTER_MS]);
});

test('hooks of an update start however long its message has waited', async () => {
  await world.update(source, 2);
  world.clock.advance(3 * BEHIND_AFTER_MS);
  await world.step('source');
  expect(world.requests.length).toBeGreaterThan(0);
  for (const { startBefore } of world.requests) expect(startBefore).toBeGreaterThan(world.clock.now());
});
