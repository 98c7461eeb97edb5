import { afterEach, beforeEach, expect, test } from 'vitest';
import { FakeClock } from '../../infra/embedded/clock.ts';
import { type Faults, noFaults } from '../../infra/embedded/faults.ts';
import { ECHO, Scene } from '../support/scene.ts';
import { travel } from '../support/travel.ts';

/**
 * The SDK repeats an update whose response was lost. Its condition then refuses the repetition, because the first
 * request did the work: the function took its own claim for that of another instance, and its own record for a
 * duplicate, and no attempt followed.
 */

const HOUR = 3_600_000;
/** The SDK repeats every second update of retry-delivery, beginning with the first. */
let updates = 0;
const faults: Faults = {
  ...noFaults,
  ofCall({ caller, operation }) {
    if (!caller.startsWith('RetryDelivery') || operation !== 'UpdateItem') return undefined;
    updates += 1;
    return updates % 2 === 1 ? 'repeated' : undefined;
  },
};

let clock: FakeClock;
let scene: Scene;
beforeEach(async () => {
  clock = new FakeClock(Date.UTC(2031, 2, 1, 12));
  scene = await Scene.open({ clock, faults });
});
afterEach(() => scene.close());

test('a webhook that fails twice gets its third attempt, although the SDK repeats its updates', async () => {
  const source = await scene.source(ECHO);
  const { id, receiver } = await scene.webhook();
  receiver.respond = (index) => ({ status: index < 2 ? 500 : 200 });
  await scene.subscribe(source.id, id);
  await scene.send(source.endpoint, { n: 1 });
  const isDelivered = () => receiver.received.length === 3;
  expect(await travel(clock, { byMs: HOUR, stepMs: 10_000, isBusy: scene.isBusy }, isDelivered)).toBe(true);
});
