import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BEHIND_AFTER_MS, NOTICE_BEHIND_AFTER_MS } from '../../../../../shared/domain/run/backlog-limits.ts';
import type { Source } from '../../../../../shared/domain/source/source.ts';
import { HOUR_MS, MINUTE_MS } from '../../../../../shared/lib/durations.ts';
import { type BacklogWorld, backlogWorld } from '../../../../support/world/backlog.ts';
import { emits, ended } from '../../../../support/world/script.ts';

let world: BacklogWorld;
let source: Source;
beforeEach(async () => {
  world = await backlogWorld();
  source = await world.source();
  world.control.script = () => {
    world.clock.advance(MINUTE_MS);
    return [emits('{}'), ended()];
  };
});
afterEach(() => world.close());

const requests = (count: number) => {
  for (let n = 0; n < count; n += 1) world.send(world.trigger(source, { n }));
};
const notices = () => {
  const ids = new Set(world.noticeTriggers.map(({ id }) => id));
  return [...ids].map((id) => world.noticeTriggers.find((trigger) => trigger.id === id));
};

describe('source.behind', () => {
  test('comes when the oldest trigger has waited for five minutes, and tells since when', async () => {
    const acceptedAt = world.clock.now();
    requests(1);
    world.clock.advance(BEHIND_AFTER_MS);
    await world.step('source');
    world.clock.advance(NOTICE_BEHIND_AFTER_MS - BEHIND_AFTER_MS - 1);
    world.control.isBusy = true;
    await world.step('backlog');
    expect(notices()).toEqual([]);
    world.clock.advance(2 * MINUTE_MS);
    await world.step('backlog');
    const [notice] = notices();
    expect(notice).toMatchObject({ stream: 'source.behind', ownerId: world.ownerId });
    expect(notice?.payload).toEqual({
      json: expect.stringContaining(`"since":"${new Date(acceptedAt).toISOString()}"`) as string,
    });
  });

  test('comes once an hour, and not for a source that keeps up', async () => {
    requests(10);
    world.clock.advance(BEHIND_AFTER_MS);
    const before = world.clock.now();
    await world.settle();
    const hours = Math.floor(world.clock.now() / HOUR_MS) - Math.floor(before / HOUR_MS) + 1;
    expect(notices().length).toBeGreaterThanOrEqual(1);
    expect(notices().length).toBeLessThanOrEqual(hours);
    const told = notices().length;
    requests(1);
    await world.settle();
    expect(notices()).toHaveLength(told);
  });
});
