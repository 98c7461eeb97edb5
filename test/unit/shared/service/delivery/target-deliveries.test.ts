import { beforeEach, describe, expect, test } from 'vitest';
import type { DeliverToTarget } from '../../../../../shared/aws/targets/deliver-to-target.ts';
import type { TargetCall } from '../../../../../shared/domain/target/aws-target.ts';
import type { Webhook } from '../../../../../shared/domain/webhook/webhook.ts';
import { DAY_MS } from '../../../../../shared/lib/durations.ts';
import { startRecovery } from '../../../../../shared/service/webhooks/start-recovery.ts';
import { type Deliveries, openDeliveries } from '../../../../support/open-deliveries.ts';
import { retryPlayer } from '../../../../support/play-retries.ts';
import type { DeliveryWorld } from '../../../../support/world/deliveries.ts';

const TARGET = { kind: 'queue', arn: 'arn:aws:sqs:us-east-1:000000000000:orders.fifo', roleArn: null } as const;
const SECOND = 1_000;

let opened: Deliveries;
let world: DeliveryWorld;
let player: ReturnType<typeof retryPlayer>;
let calls: TargetCall[];
/** The status of the next responses. */
let status: number;

beforeEach(async () => {
  opened = await openDeliveries();
  const { stage, openProcess } = opened;
  [calls, status] = [[], 200];
  const deliverToTarget: DeliverToTarget = (call) => {
    calls.push(call);
    const outcome = status === 200 ? 'delivered' : 'rejected';
    return Promise.resolve({ outcome, status, reason: 'Code: reason', at: stage.clock.now(), ms: 1 });
  };
  world = openProcess({ deliverToTarget });
  player = retryPlayer(stage, world);
});

/** A webhook with a target that is subscribed to a source, and what sends events of the source. */
async function subscribed(more: Partial<Webhook> = {}) {
  const { source, hook } = await opened.subscribed({ target: TARGET, ...more });
  const send = (...numbers: number[]) => world.deliver(numbers.map((n) => world.message(source, { n })));
  const health = async () => ((await world.webhooks.find(hook.id)) ?? expect.fail()).health;
  return { hook, send, health, listed: () => world.listed(hook) };
}

const deduplicationIds = () => calls.map(({ input }) => input['MessageDeduplicationId']);

describe('a webhook with a target', () => {
  test('gets calls for its owner, and its URL no request', async () => {
    const { hook, send, listed } = await subscribed();
    await send(1, 2);
    expect(calls.map(({ externalId, input }) => [externalId, input['MessageBody']])).toEqual([
      [hook.ownerId, '{"n":1}'],
      [hook.ownerId, '{"n":2}'],
    ]);
    expect((await listed()).map((delivery) => delivery.status)).toEqual(['delivered', 'delivered']);
    expect(opened.receiver.received).toEqual([]);
  });

  test('has its own retries; a FIFO queue knows the repetitions of an attempt by the emit id', async () => {
    const { send, listed } = await subscribed({ retrySeconds: [7] });
    status = 400;
    await send(1);
    const [{ emitId, nextAt = 0 } = expect.fail()] = await listed();
    const seconds = (nextAt - opened.stage.clock.now()) / SECOND;
    expect(seconds).toBeGreaterThanOrEqual(5.6);
    expect(seconds).toBeLessThanOrEqual(8.4);
    await player.play(20 * SECOND);
    expect(await listed()).toMatchObject([{ status: 'failed', attemptCount: 2, lastAttempt: { outcome: 'rejected' } }]);
    expect(deduplicationIds()).toEqual([emitId, emitId]);
  });

  test.each([
    ['an event that it refuses opens no breaker', 400, false],
    ['failures of its own open the breaker, and a success closes it', 403, true],
  ])('%s', async (_what, failure, isOpened) => {
    const { send, health } = await subscribed();
    status = failure;
    await send(1, 2, 3);
    expect((await health()).breaker !== undefined).toBe(isOpened);
    expect((await health()).failingSince).toBeDefined();
    status = 200;
    await player.play(20 * SECOND);
    const { breaker, failingSince } = await health();
    expect([breaker, failingSince]).toEqual([undefined, undefined]);
  });

  test('holds its deliveries while it is inactive', async () => {
    const { send, listed } = await subscribed({ active: false, disabledReason: 'owner' });
    await send(1);
    expect(calls).toEqual([]);
    expect(await listed()).toMatchObject([{ status: 'held', attemptCount: 0 }]);
  });

  test('that is ordered sends a recovery with a deduplication id of its own to a FIFO queue', async () => {
    const { hook, send, listed } = await subscribed({ ordered: true, retrySeconds: [] });
    status = 400;
    await send(1);
    await player.play(60 * SECOND);
    const [{ emitId, attemptCount } = expect.fail()] = await listed();
    expect(new Set(deduplicationIds())).toEqual(new Set([emitId]));
    status = 200;
    await startRecovery(
      { ...world.retryServices, random: (bytes) => new Uint8Array(bytes) },
      { webhook: (await world.webhooks.find(hook.id)) ?? expect.fail(), since: opened.stage.clock.now() - DAY_MS },
    );
    await player.play(60 * SECOND);
    expect(await listed()).toMatchObject([{ status: 'delivered', attemptCount: attemptCount + 1 }]);
    expect(deduplicationIds().at(-1)).toBe(`${emitId}.${attemptCount + 1}`);
  });

  test('keeps its rate limit', async () => {
    const { send } = await subscribed({ rateLimit: 1 });
    await send(1, 2, 3);
    expect(calls.map(({ input }) => input['MessageBody'])).toEqual(['{"n":1}']);
    const slots = { reserve: ({ now }: { now: number }) => Promise.resolve([now]) };
    await player.play(5 * SECOND, world.retryHandler({ slots }));
    expect(calls).toHaveLength(3);
  });
});
