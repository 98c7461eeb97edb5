import { setImmediate } from 'node:timers/promises';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { SOCKETS_PER_ORIGIN as SOCKETS } from '../../../../../shared/aws/delivery-agent.ts';
import { DAY_MS } from '../../../../../shared/lib/durations.ts';
import type { Source } from '../../../../../shared/domain/source/source.ts';
import type { Webhook } from '../../../../../shared/domain/webhook/webhook.ts';
import { CONNECTION_WAIT_MS } from '../../../../../shared/service/fan-out/first-attempt.ts';
import { SLOW_MS } from '../../../../../shared/domain/webhook/slowness.ts';
import { MAX_SLOW } from '../../../../../shared/service/fan-out/unanswered-attempts.ts';
import type { TableOptions } from '../../../../../shared/store/table/table-client.ts';
import type { DeliveryWorld } from '../../../../support/world/deliveries.ts';
import { gate } from '../../../../support/gate.ts';
import type { Receiver } from '../../../../support/receiver.ts';
import { type Deliveries, openDeliveries } from '../../../../support/open-deliveries.ts';
import type { World } from '../../../../support/world/world.ts';
import { until } from '../../../../support/until.ts';

let stage: World;
let receiver: Receiver;
let world: DeliveryWorld;
let openProcess: Deliveries['openProcess'];
let source: Source;
beforeEach(async () => {
  ({ stage, receiver, world, openProcess } = await openDeliveries());
  source = await stage.source();
});

const subscribed = async (path: string) => {
  const hook = await world.webhook({ url: receiver.url + path });
  await world.subscribe(source.id, hook.id);
  return hook;
};
const receivedAt = (path: string) => receiver.received.filter(({ url }) => url.endsWith(path)).length;
const waiting = async (hook: Webhook) => {
  const items = await world.listed(hook);
  const found = await Promise.all(items.map(({ id }) => world.deliveries.find(hook.id, id)));
  return found.filter((delivery) => delivery?.list === 'waiting');
};
const isPending = ({ status, attemptCount }: { status: string; attemptCount: number }) =>
  status === 'pending' && attemptCount === 0;
const deliverEach = (count: number) => Array.from({ length: count }, () => world.deliver([world.message(source)]));

test('while a webhook hangs, its further deliveries wait for its drain, and other webhooks get theirs', async () => {
  const slow = await subscribed('/slow');
  await subscribed('/good');
  receiver.respond = (_index, { url }) => (url.endsWith('/slow') ? 'hang' : { status: 200 });
  const held = deliverEach(MAX_SLOW);
  await until('they hang', () => receivedAt('/slow') === MAX_SLOW);
  stage.clock.advance(SLOW_MS);
  await world.deliver([world.message(source)]);
  await world.deliver([world.message(source)]);
  expect(receivedAt('/slow')).toBe(MAX_SLOW);
  expect(receivedAt('/good')).toBe(MAX_SLOW + 2);
  const parked = await waiting(slow);
  expect(parked).toHaveLength(2);
  expect(parked.every((delivery) => delivery && isPending(delivery))).toBe(true);
  expect(world.retries.filter(({ message }) => message.kind === 'drain')).toEqual([
    { message: { kind: 'drain', listenerId: slow.id }, delaySeconds: 0 },
    { message: { kind: 'drain', listenerId: slow.id }, delaySeconds: 1 },
  ]);
  await Promise.all(held);
  // They have ended and opened the breaker. Once it is closed, the webhook gets first attempts again.
  receiver.respond = () => ({ status: 200 });
  stage.clock.advance(60_000);
  const probe = world.retries.find(({ message }) => message.kind === 'probe') ?? expect.fail();
  await world.retry(probe.message);
  await world.retry({ kind: 'drain', listenerId: slow.id });
  expect(await waiting(slow)).toEqual([]);
  const before = receivedAt('/slow');
  await world.deliver([world.message(source)]);
  expect(receivedAt('/slow')).toBe(before + 1);
});

test('attempts that have waited for less than that, or fewer of them, let others begin', async () => {
  await subscribed('/slow');
  receiver.respond = () => 'hang';
  const first = deliverEach(MAX_SLOW - 1);
  await until('they hang', () => receivedAt('/slow') === MAX_SLOW - 1);
  stage.clock.advance(SLOW_MS);
  const second = deliverEach(MAX_SLOW);
  await until('others hang, too', () => receivedAt('/slow') === 2 * MAX_SLOW - 1);
  await receiver.stop();
  await Promise.all([...first, ...second]);
});

test('attempts that wait for a connection are not slow: a flood of one origin does not go on the waiting list', async () => {
  const hook = await subscribed('/');
  const gates = [gate(), gate(), gate()];
  receiver.respond = (index) => ({ status: 200, after: gates[Math.floor(index / SOCKETS)]?.opened });
  const flood = world.deliver(Array.from({ length: gates.length * SOCKETS }, () => world.message(source)));
  let later: Promise<void> | undefined;
  for (const [n, { open }] of gates.entries()) {
    await until('all connections are taken', () => receiver.received.length === (n + 1) * SOCKETS);
    stage.clock.advance(SLOW_MS - 500);
    if (n === gates.length - 1) {
      const read = vi.spyOn(world.matching, 'listener');
      later = world.deliver([world.message(source)]);
      await until('it waits, too', () => read.mock.settledResults.at(-1)?.type === 'fulfilled');
      await setImmediate();
    }
    open();
  }
  await Promise.all([flood, later]);
  expect(await waiting(hook)).toEqual([]);
  expect(receiver.received).toHaveLength(gates.length * SOCKETS + 1);
});

test('an attempt that waits for a connection of a webhook that hangs goes on the waiting list before the others time out', async () => {
  const hook = await subscribed('/');
  const { opened, open } = gate();
  receiver.respond = () => ({ status: 200, after: opened });
  const delivered = world.deliver(Array.from({ length: SOCKETS + 3 }, () => world.message(source)));
  await until('all connections are taken', () => receiver.received.length === SOCKETS);
  stage.clock.advance(SLOW_MS);
  await until('the others wait for the drain', async () => (await waiting(hook)).length === 3);
  expect(receiver.received.every(({ isClosed }) => !isClosed)).toBe(true);
  open();
  await delivered;
  expect(await waiting(hook)).toHaveLength(3);
  // The drain sends them: they are not sent when a connection becomes free.
  await world.deliver([world.message(source)]);
  expect(receiver.received).toHaveLength(SOCKETS + 1);
});

test('an attempt that has waited long for a connection is left to the drain, which reads the webhook again', async () => {
  const hook = await subscribed('/');
  const { opened, open } = gate();
  receiver.respond = () => ({ status: 200, after: opened });
  const delivered = world.deliver(Array.from({ length: SOCKETS + 1 }, () => world.message(source)));
  await until('all connections are taken', () => receiver.received.length === SOCKETS);
  stage.clock.advance(CONNECTION_WAIT_MS + 1);
  open();
  await delivered;
  expect(receiver.received).toHaveLength(SOCKETS);
  expect(await waiting(hook)).toHaveLength(1);
});

test.for([
  ['goes to the URL that the webhook has then', '/hook/new'],
  ['is not sent to a webhook that was deleted meanwhile', undefined],
] as const)('a delivery that has waited for others to end %s', async ([, sentTo]) => {
  const one = openProcess({ maxUnderWay: 1 });
  const hook = await subscribed('/old');
  const { opened, open } = gate();
  receiver.respond = () => ({ status: 200, after: opened });
  const first = one.deliver([one.message(source)]);
  await until('it is under way', () => receivedAt('/old') === 1);
  const match = vi.spyOn(one.matching, 'match');
  const second = one.deliver([one.message(source)]);
  await until('it is matched', () => match.mock.settledResults[0]?.type === 'fulfilled');
  if (sentTo) await world.webhooks.change(hook, { url: `${receiver.url}/new` });
  else await world.webhooks.remove(hook);
  open();
  await Promise.all([first, second]);
  expect(receiver.received.map(({ url }) => url)).toEqual(['/hook/old', ...(sentTo ? [sentTo] : [])]);
  // It has left its place to the next one.
  await subscribed('/other');
  await one.deliver([one.message(source)]);
  expect(receivedAt('/other')).toBe(1);
});

test('a webhook that hangs holds its own place only: others of its event leave theirs when they have ended', async () => {
  const one = openProcess({ maxUnderWay: 2 });
  await subscribed('/slow');
  await subscribed('/good');
  receiver.respond = (_index, { url }) => (url.endsWith('/slow') ? 'hang' : { status: 200 });
  const first = one.deliver([one.message(source)]);
  await until('one hangs', () => receiver.received.length === 2);
  const other = await stage.source();
  const hook = await one.webhook({ url: `${receiver.url}/other` });
  await one.subscribe(other.id, hook.id);
  await one.deliver([one.message(other)]);
  expect(receivedAt('/other')).toBe(1);
  expect(one.retries).toEqual([]);
  await receiver.stop();
  await first;
});

/** Waits for permits and for responses have no end: a busy machine would reach it. */
function withoutTimeLimits(): void {
  const { setTimeout: real } = globalThis;
  vi.stubGlobal('setTimeout', (work: () => void, ms = 0) => real(work, ms < SLOW_MS ? ms : DAY_MS));
  onTestFinished(() => void vi.unstubAllGlobals());
}

test('a batch that needs more permits than there are gets them in parts, while another webhook hangs', async () => {
  withoutTimeLimits();
  const one = openProcess({ maxUnderWay: 20 * 110 });
  const slow = await stage.source();
  const hanging = await one.webhook({ url: `${receiver.url}/slow` });
  await one.subscribe(slow.id, hanging.id);
  for (let n = 0; n < 110; n += 1) await subscribed('/many');
  receiver.respond = (_index, { url }) => (url.endsWith('/slow') ? 'hang' : { status: 200 });
  const held = one.deliver([one.message(slow)]);
  await until('one hangs', () => receiver.received.length === 1);
  let hung = false;
  receiver.onReceived = () => (hung ||= receiver.received[0]?.isClosed === false);
  await one.deliver(Array.from({ length: 20 }, () => one.message(source)));
  expect(receivedAt('/many')).toBe(20 * 110);
  // The first ones do not wait for the end of the attempt that hangs.
  expect(hung).toBe(true);
  await receiver.stop();
  await held;
});

test('attempts that end with an error of the service are not under way any more', async () => {
  const broken = await world.webhook({ url: receiver.url, secret: { dataKey: '', nonce: '', text: 'x' } });
  const hanging = await world.webhook({ url: receiver.url });
  const other = await stage.source();
  await world.subscribe(source.id, broken.id);
  await world.subscribe(other.id, hanging.id);
  await expect(world.deliver([world.message(source)])).rejects.toThrow('no secret here is sealed');
  receiver.respond = () => 'hang';
  const held = world.deliver([world.message(other)]);
  await until('an attempt that began later is slow', async () => (await world.listed(hanging)).length === 1);
  expect(await world.listed(broken)).toEqual([]);
  await receiver.stop();
  await held;
});

test('an attempt whose headers cannot be made comes back, and leaves its connection to others', async () => {
  const hook = await world.webhook({ url: receiver.url });
  // No header can hold half of a surrogate pair. No stream has such a name: emits and requests are checked.
  vi.spyOn(world.matching, 'match').mockResolvedValue({ listeners: [hook.id], filters: new Map() });
  const wrong = Array.from({ length: SOCKETS }, () => world.message(source, {}, { stream: '\ud800' }));
  expect([...(await world.failuresOf(wrong)).keys()]).toEqual(wrong);
  await world.deliver([world.message(source)]);
  expect(receiver.received).toHaveLength(1);
});

test('a success that cannot be logged comes back', async () => {
  await subscribed('/');
  const sent = world.message(source);
  const batch = { id: 'batch', startedAt: stage.clock.now(), isRepeated: () => false };
  const log = () => {
    throw new Error('not logged');
  };
  expect(await world.fanOut([sent], { ...batch, log })).toEqual(new Map([[sent, new Error('not logged')]]));
});

test('a success is not stored as a slow attempt afterwards', async () => {
  const hook = await subscribed('/');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  await world.deliver([world.message(source)]);
  vi.advanceTimersByTime(2 * SLOW_MS);
  vi.useRealTimers();
  // It makes more requests to the table than storing an attempt.
  await world.deliver([world.message(source)]);
  const items = await world.listed(hook);
  const stored = await Promise.all(items.map(({ id }) => world.deliveries.find(hook.id, id)));
  expect(stored).toEqual([undefined, undefined]);
  expect(world.retries).toEqual([]);
});

test('while a workflow hangs, the retries get its further deliveries', async () => {
  await world.subscribe(source.id, (await world.workflow(receiver.url)).id);
  receiver.respond = () => 'hang';
  const held = deliverEach(MAX_SLOW);
  await until('they hang', () => receiver.received.length === MAX_SLOW);
  stage.clock.advance(SLOW_MS);
  await world.deliver([world.message(source)]);
  expect(receiver.received).toHaveLength(MAX_SLOW);
  const atOnce = world.retries.filter(({ delaySeconds }) => delaySeconds === 0);
  expect(atOnce).toMatchObject([{ message: { kind: 'retry', turn: 0 } }]);
  await receiver.stop();
  await Promise.all(held);
});

test('an attempt of a workflow that waits for a connection is left to the retries when the workflow fails', async () => {
  await world.subscribe(source.id, (await world.workflow(receiver.url)).id);
  receiver.respond = () => 'hang';
  await world.deliver(Array.from({ length: SOCKETS + 1 }, () => world.message(source)));
  expect(receiver.received).toHaveLength(SOCKETS);
  const atOnce = world.retries.filter(({ delaySeconds }) => delaySeconds === 0);
  expect(atOnce).toMatchObject([{ message: { kind: 'retry', turn: 0 } }]);
});

test('an attempt that waits for a connection is not made when its webhook has failed meanwhile', async () => {
  const hook = await subscribed('/');
  const more = 20;
  const { opened, open } = gate();
  receiver.respond = () => ({ status: 500, after: opened });
  const delivered = world.deliver(Array.from({ length: SOCKETS + more }, () => world.message(source)));
  await until('all connections are taken', () => receiver.received.length === SOCKETS);
  open();
  await delivered;
  expect(receiver.received).toHaveLength(SOCKETS);
  const items = await world.listed(hook);
  expect(items).toHaveLength(SOCKETS + more);
  expect(items.filter(isPending)).toHaveLength(more);
  expect(world.retries.filter(({ message }) => message.kind === 'probe')).toHaveLength(1);
});

test('a failure that ends after a later success leaves no suspicion: the next delivery gets its first attempt', async () => {
  const hook = await subscribed('/');
  const { opened, open } = gate();
  receiver.respond = (index) => (index === 0 ? { status: 500, after: opened } : { status: 200 });
  const failing = world.deliver([world.message(source)]);
  await until('it is under way', () => receiver.received.length === 1);
  stage.clock.advance(1);
  await world.deliver([world.message(source)]);
  open();
  await failing;
  await world.deliver([world.message(source)]);
  expect(receiver.received).toHaveLength(3);
  expect(await world.webhooks.find(hook.id)).not.toHaveProperty('suspectUntil');
});

/** A table that refuses to mark a webhook as suspect. */
const withoutMarks = ({ dynamo, tableName }: TableOptions): TableOptions => ({
  tableName,
  dynamo: new Proxy(dynamo, {
    get(client, member) {
      if (member !== 'send') return Reflect.get(client, member) as unknown;
      return (command: Parameters<typeof client.send>[0]) =>
        JSON.stringify(command.input).includes('suspectUntil') && command instanceof UpdateCommand
          ? Promise.reject(new Error('throttled'))
          : client.send(command);
    },
  }),
});

test('a batch with a failed attempt comes back when its webhook cannot be marked, and the attempt is recorded all the same', async () => {
  world = openProcess({ table: withoutMarks(stage.table) });
  const hook = await subscribed('/');
  receiver.respond = () => ({ status: 500 });
  await expect(world.deliver([world.message(source)])).rejects.toThrow('throttled');
  expect(await world.listed(hook)).toMatchObject([{ status: 'retrying', attemptCount: 1 }]);
});

test('of the successes of a webhook, the first one in a minute keeps its response', async () => {
  const hook = await subscribed('/');
  await subscribed('/other');
  receiver.respond = () => ({ status: 200, body: 'thanks' });
  const kept = async () => (await world.listed(hook)).map(({ lastAttempt = {} }) => 'answer' in lastAttempt);
  await world.deliver([world.message(source)]);
  await world.deliver([world.message(source)]);
  stage.clock.advance(59_000);
  await world.deliver([world.message(source)]);
  expect(await kept()).toEqual([false, false, true]);
  stage.clock.advance(1_000);
  await world.deliver([world.message(source)]);
  expect(await kept()).toEqual([true, false, false, true]);
});
