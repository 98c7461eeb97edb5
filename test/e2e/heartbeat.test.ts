import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FakeClock } from '../../infra/embedded/clock.ts';
import { testAssembly } from '../support/cloud.ts';
import { operator } from '../support/operator.ts';
import { Scene } from '../support/scene.ts';
import { travel } from '../support/travel.ts';

const MINUTE = 60_000;

let clock: FakeClock;
let scene: Scene;
/** Messages that the heartbeat sent to the queue that nothing reads. */
let reports = 0;
beforeAll(async () => {
  clock = new FakeClock(Date.UTC(2031, 2, 29, 22, 10, 7, 345));
  scene = await Scene.open({
    clock,
    assembly: testAssembly({ logLevel: 'warn', hasHeartbeat: true }),
    onQueueRequest: (queue, operation) => {
      if (queue.startsWith('Heartbeat') && operation.startsWith('SendMessage')) reports += 1;
    },
  });
});
afterAll(() => scene.close());

async function reportsOf(minutes: number): Promise<number> {
  const before = reports;
  await travel(clock, { byMs: minutes * MINUTE, stepMs: 10_000, settleMs: 20, isBusy: scene.isBusy });
  return reports - before;
}

describe('the heartbeat', () => {
  test('reports each minute that both APIs answer at their public names', async () => {
    expect(await reportsOf(3)).toBe(3);
  });

  test('reports nothing while the service is paused, and goes on after the end of the pause with fresh messages', async () => {
    const admin = operator(scene.cloud);
    await admin('pause', {});
    expect(await reportsOf(5)).toBe(0);
    await admin('resume', {});
    // Two at most are fresh, of the five that waited.
    const reported = await reportsOf(3);
    expect(reported).toBeGreaterThanOrEqual(3);
    expect(reported).toBeLessThanOrEqual(5);
  });
});
