import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import * as z from 'zod';
import { FakeClock } from '../../infra/embedded/clock.ts';
import { PAUSED } from '../../shared/domain/service-health.ts';
import { VERSION } from '../../shared/domain/version.ts';
import { testAssembly } from '../support/cloud.ts';
import { operator, operatorAt } from '../support/operator.ts';
import { Scene } from '../support/scene.ts';
import { travel } from '../support/travel.ts';

const MINUTE = 60_000;
/** A process reads the table again after this. */
const CACHED_MS = 5_000;

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

const pass = (byMs: number) => travel(clock, { byMs, stepMs: 5_000, settleMs: 20, isBusy: scene.isBusy });

async function reportsOf(minutes: number): Promise<number> {
  const before = reports;
  await pass(minutes * MINUTE);
  return reports - before;
}

/** The response of a function itself: on one machine the gateway answers in its place. */
async function healthFrom(functionId: string): Promise<unknown> {
  const hosts = [...scene.cloud.cloud.functions].filter(([name]) => name.startsWith(functionId));
  const [[, host] = expect.fail(functionId)] = hosts;
  const requestContext = { requestId: 'r', http: { method: 'GET', sourceIp: '192.0.2.1' } };
  const outcome = await host.invoke({
    event: { rawPath: '/healthz', rawQueryString: '', headers: {}, isBase64Encoded: false, requestContext },
  });
  const { statusCode, body } = z.object({ ok: z.literal(true), value: Response }).parse(outcome).value;
  return [statusCode, JSON.parse(body)];
}
const Response = z.object({ statusCode: z.number(), body: z.string() });
const WELL = [200, { status: 'ok', version: VERSION }];
const UNWELL = [503, { status: 'unavailable', reason: PAUSED, version: VERSION }];

describe('the heartbeat', () => {
  test('reports each minute that both APIs answer at their public names', async () => {
    // A message that comes twice reports twice.
    expect(await reportsOf(3)).toBeGreaterThanOrEqual(3);
  });

  test.each(['Users', 'IngressFunction'])('finds GET /healthz at %s: 503 while the service is paused', async (id) => {
    const { marks } = operatorAt(scene.cloud);
    expect(await healthFrom(id)).toEqual(WELL);
    await marks.pause(clock.now(), { api: false });
    await pass(CACHED_MS);
    expect(await healthFrom(id)).toEqual(UNWELL);
    await marks.resume();
    await pass(CACHED_MS);
    expect(await healthFrom(id)).toEqual(WELL);
  });

  test('reports nothing while the service is paused, and goes on after the end of the pause with fresh messages', async () => {
    const admin = operator(scene.cloud);
    const { marks } = operatorAt(scene.cloud);
    await admin('pause', {});
    expect(await marks.read()).toMatchObject({ pausedAt: expect.any(Number) as number });
    expect(await reportsOf(5)).toBe(0);
    await admin('resume', {});
    expect(await marks.read()).toEqual({});
    // Two at most are fresh, of the five that waited. With injected faults, messages come twice.
    const reported = await reportsOf(3);
    expect(reported).toBeGreaterThanOrEqual(3);
    if (inject('faults') === 'none') expect(reported).toBeLessThanOrEqual(5);
  });
});
