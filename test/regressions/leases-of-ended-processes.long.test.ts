import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FakeClock } from '../../infra/embedded/clock.ts';
import { noFaults } from '../../infra/embedded/faults.ts';
import { WebhookId } from '../../shared/domain/id.ts';
import { drainLeases } from '../../shared/store/deliveries/drain-leases.ts';
import { runPermitStore } from '../../shared/store/emitters/run-permits.ts';
import { type World, openWorld } from '../support/world/world.ts';
import { ECHO, Scene } from '../support/scene.ts';
import { travel } from '../support/travel.ts';
import { until } from '../support/until.ts';

/** After `kill -9` work waited for the leases of the ended process: a recovery for a minute, an attempt for 45 s. */

const HOUR = 3_600_000;

describe('after kill -9, with a clock that stands still', () => {
  let clock: FakeClock;
  let scene: Scene;
  beforeEach(async () => {
    clock = new FakeClock(Date.UTC(2031, 2, 1, 12));
    scene = await Scene.open({ clock, faults: noFaults });
  });
  afterEach(() => scene.close());

  test('a recovery goes on', async () => {
    const source = await scene.source(ECHO);
    const { id, receiver } = await scene.webhook();
    await scene.subscribe(source.id, id);
    await scene.api.put(`/webhooks/${id}`, { active: false });
    await scene.send(source.endpoint, { n: 1 });
    await until(
      'the held delivery',
      async () => (await scene.api.get(`/webhooks/${id}/deliveries`)).body.data.length === 1,
    );
    receiver.respond = (index) => (index === 0 ? 'hang' : { status: 200 });
    await scene.api.put(`/webhooks/${id}`, { active: true });
    await scene.api.post(`/webhooks/${id}/recover`, { since: clock.now() - HOUR });
    await until('the attempt', () => receiver.received.length === 1);
    await scene.cloud.crash();
    await until('the next attempt', () => receiver.received.length === 2);
  });

  test('the attempt of a retry is made again', async () => {
    const source = await scene.source(ECHO);
    const { id, receiver } = await scene.webhook();
    const { received } = receiver;
    receiver.respond = (index) => (index === 1 ? 'hang' : { status: index === 0 ? 500 : 200 });
    await scene.subscribe(source.id, id);
    await scene.send(source.endpoint, { n: 1 });
    await until('the first attempt', () => received.length === 1);
    const isTriedAgain = () => received.length === 2;
    // The second attempt hangs, and its function with it.
    const isBusy = () => !isTriedAgain() && scene.isBusy();
    expect(await travel(clock, { byMs: HOUR, stepMs: 1_000, isBusy }, isTriedAgain)).toBe(true);
    await scene.cloud.crash();
    await until('the next attempt', () => received.length === 3);
  });
});

describe('the leases of an earlier epoch', () => {
  let stage: World;
  beforeEach(async () => {
    stage = await openWorld();
  });
  afterEach(() => stage.close());
  const now = Date.UTC(2031, 1, 28);

  test.each(['drain', 'recovery'] as const)('of a %s are void, and those of this epoch are not', async (work) => {
    const id = WebhookId.parse('wh_0mwycr75j89p1y79v2vjo601');
    const [first, second] = ['a', 'b'].map((epoch) => drainLeases({ ...stage.table, epoch }));
    expect(await first?.acquire(id, now, work)).toBeDefined();
    expect(await first?.acquire(id, now, work)).toBeUndefined();
    expect(await second?.acquire(id, now, work)).toBeDefined();
    expect(await second?.acquire(id, now, work)).toBeUndefined();
  });

  test('free the places of long runs', async () => {
    const permitsOf = (epoch: string) => runPermitStore({ ...stage.table, epoch }, (bytes) => randomBytes(bytes));
    const limited = { limit: 1, now };
    expect(await permitsOf('a').take(stage.ownerId, limited)).toBeDefined();
    expect(await permitsOf('a').take(stage.ownerId, limited)).toBeUndefined();
    expect(await permitsOf('b').take(stage.ownerId, limited)).toBeDefined();
    expect(await permitsOf('b').take(stage.ownerId, limited)).toBeUndefined();
  });
});
