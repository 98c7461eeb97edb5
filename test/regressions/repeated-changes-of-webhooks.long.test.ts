import { afterEach, beforeEach, expect, test } from 'vitest';
import { FakeClock } from '../../infra/embedded/clock.ts';
import { type Faults, noFaults } from '../../infra/embedded/faults.ts';
import { ECHO, Scene } from '../support/scene.ts';
import { travel } from '../support/travel.ts';

/**
 * The SDK repeats an update whose response was lost. The change of the webhook that closed its breaker, and the lease
 * of the worker that sends what waited, took the repetition for a change of another instance: no deliveries were sent
 * although the webhook worked again.
 */

const HOUR = 3_600_000;
/** The SDK repeats every second update of the table by the functions that deliver. */
let updates = 0;
const faults: Faults = {
  ...noFaults,
  ofCall({ caller, operation }) {
    if (!/^(?:RetryDelivery|DeliverEvent)/.test(caller) || operation !== 'UpdateItem') return undefined;
    updates += 1;
    return updates % 2 === 0 ? undefined : 'repeated';
  },
};

let clock: FakeClock;
let scene: Scene;
beforeEach(async () => {
  clock = new FakeClock(Date.UTC(2031, 2, 1, 12));
  scene = await Scene.open({ clock, faults });
});
afterEach(() => scene.close());

test.each([0, 1])(
  'waiting deliveries are sent when the webhook works again (first repeated update: %i)',
  async (first) => {
    updates = first;
    const source = await scene.source(ECHO);
    const { id, receiver } = await scene.webhook();
    let isWorking = false;
    receiver.respond = () => ({ status: isWorking ? 200 : 500 });
    await scene.subscribe(source.id, id);
    const health = async () => (await scene.api.get(`/webhooks/${id}`)).body.data;
    const pass = (isReached: () => boolean | Promise<boolean>) =>
      travel(clock, { byMs: HOUR, stepMs: 2_000, isBusy: scene.isBusy }, isReached);
    const bodies = () => new Set(receiver.received.map(({ body }) => body));
    for (let n = 0; n < 12; n += 1) await scene.send(source.endpoint, { n });
    expect(await pass(() => receiver.received.length >= 12)).toBe(true);
    for (let n = 12; n < 20; n += 1) await scene.send(source.endpoint, { n });
    expect((await health()).active).toBe(true);
    const failed = receiver.received.length;
    isWorking = true;
    expect(await pass(() => bodies().size === 20)).toBe(true);
    expect(failed).toBeGreaterThan(0);
  },
);
