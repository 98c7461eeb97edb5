import { describe, expect, test } from 'vitest';
import { FakeClock } from '../../../../../infra/embedded/clock.ts';
import { aWorld, BUCKET, ROLE, type World } from '../../../contract/s3/paths.ts';

const DAY = 86_400_000;
const NOON = Date.UTC(2026, 0, 1, 12);

const begin = async () => {
  const world = await aWorld({ clock: new FakeClock(NOON) });
  withRules(world);
  return world;
};
const withRules = ({ service }: World) => {
  service.createBucket({
    name: BUCKET,
    lifecycleRules: [
      { prefix: 'bodies/', expirationDays: 14 },
      { prefix: 'bodies/short/', expirationDays: 1 },
      { prefix: 'kept/', expirationDays: 1, enabled: false },
    ],
  });
};
const put = ({ service }: World, Key: string) => service.call('PutObject', { Bucket: BUCKET, Key, Body: 'x' }, ROLE);
const isThere = async ({ service }: World, Key: string) => {
  try {
    await service.call('GetObject', { Bucket: BUCKET, Key }, ROLE);
    return true;
  } catch {
    return false;
  }
};
const keys = async (world: World) => {
  const all = ['bodies/a', 'bodies/short/a', 'bodies/short/b', 'bundles/c', 'kept/d'];
  const found = await Promise.all(all.map((key) => isThere(world, key)));
  return all.filter((_key, index) => found[index]);
};

describe('a lifecycle', () => {
  test('expires objects with its prefix at the midnight after its days', async () => {
    const world = await begin();
    for (const key of ['bodies/a', 'bodies/short/b', 'bundles/c', 'kept/d']) await put(world, key);
    await world.service.start();
    world.clock.advance(1.5 * DAY - 1);
    expect(await keys(world)).toContain('bodies/short/b');
    world.clock.advance(1);
    await expect.poll(() => keys(world)).toEqual(['bodies/a', 'bundles/c', 'kept/d']);
    world.clock.advance(13 * DAY - 1);
    expect(await keys(world)).toContain('bodies/a');
    world.clock.advance(1);
    await expect.poll(() => keys(world)).toEqual(['bundles/c', 'kept/d']);
  });

  test('counts its days from the last change', async () => {
    const world = await begin();
    await world.service.start();
    await put(world, 'bodies/short/a');
    world.clock.advance(DAY);
    await put(world, 'bodies/short/a');
    world.clock.advance(DAY);
    expect(await keys(world)).toEqual(['bodies/short/a']);
    world.clock.advance(DAY);
    await expect.poll(() => keys(world)).toEqual([]);
  });

  test('expires at start the objects that came due while the service did not run', async () => {
    const world = await begin();
    await put(world, 'bodies/a');
    world.clock.advance(20 * DAY);
    const again = await world.reopen();
    withRules(again);
    await again.service.start();
    expect(await keys(again)).toEqual([]);
  });

  test('expires nothing at a start before the midnight', async () => {
    const world = await begin();
    await put(world, 'bodies/short/a');
    world.clock.advance(1.4 * DAY);
    const again = await world.reopen();
    withRules(again);
    await again.service.start();
    expect(await keys(again)).toEqual(['bodies/short/a']);
  });

  test('stops when the service stops', async () => {
    const world = await begin();
    await world.service.start();
    world.service.stop();
    expect(world.clock.nextWake()).toBeUndefined();
  });
});
