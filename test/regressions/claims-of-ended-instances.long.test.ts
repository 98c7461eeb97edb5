import { afterEach, beforeEach, expect, test } from 'vitest';
import { FakeClock } from '../../infra/embedded/clock.ts';
import { ECHO, Scene } from '../support/scene.ts';
import { travel } from '../support/travel.ts';
import { until } from '../support/until.ts';

/**
 * After `kill -9` the embedded cloud hands out at once what was in flight. The claim of the attempt that the end cut
 * off was still valid, so that the message was taken for a duplicate and acknowledged: no further attempt came.
 */

const HOUR = 3_600_000;
let clock: FakeClock;
let scene: Scene;
beforeEach(async () => {
  clock = new FakeClock(Date.UTC(2031, 2, 1, 12));
  scene = await Scene.open({ clock });
});
afterEach(() => scene.close());

test('an attempt that the end of the service cut off is made again', async () => {
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
  const isDelivered = () => received.length === 3;
  expect(await travel(clock, { byMs: HOUR, stepMs: 10_000, isBusy: scene.isBusy }, isDelivered)).toBe(true);
});
