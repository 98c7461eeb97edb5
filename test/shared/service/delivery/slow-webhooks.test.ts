import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newId, WorkflowId } from '../../../../shared/domain/id.ts';
import type { Source } from '../../../../shared/domain/source.ts';
import { workflowStore } from '../../../../shared/store/workflows.ts';
import { deliveryWorld, type DeliveryWorld } from '../../../support/delivery-world.ts';
import { Receiver } from '../../../support/receiver.ts';
import { type Harness, harness } from '../../../support/runs-harness.ts';
import { until } from '../../../support/until.ts';

/** Connections that an origin gets at once. */
const SOCKETS = 64;

let stage: Harness;
let receiver: Receiver;
let world: DeliveryWorld;
let source: Source;
beforeEach(async () => {
  stage = await harness();
  await stage.user();
  receiver = await Receiver.start();
  world = deliveryWorld(stage);
  source = await stage.source();
});
afterEach(async () => {
  await world.agent.close();
  await receiver.stop();
  await stage.close();
});

const subscribed = async (path: string) => {
  const hook = await world.webhook({ url: receiver.url + path });
  await world.subscribe(source.id, hook.id);
  return hook;
};
const isPending = ({ status, made }: { status: string; made: number }) => status === 'pending' && made === 0;

test('attempts that end with an error of the service are not under way any more', async () => {
  const broken = await world.webhook({ url: receiver.url, secret: { dataKey: '', nonce: '', text: 'x' } });
  const hanging = await world.webhook({ url: receiver.url });
  const other = await stage.source();
  await world.subscribe(source.id, broken.id);
  await world.subscribe(other.id, hanging.id);
  await expect(world.deliver([world.message(source)])).rejects.toThrow('no secret here is sealed');
  receiver.answer = () => 'hang';
  const held = world.deliver([world.message(other)]);
  await until('an attempt that began later is slow', async () => (await world.listed(hanging)).length === 1);
  expect(await world.listed(broken)).toEqual([]);
  await held;
});

const workflow = async () => {
  const id = WorkflowId.parse(newId('workflow', stage.clock.now(), (bytes) => randomBytes(bytes)));
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  await workflowStore(stage.table).create({
    id,
    ownerId: stage.ownerId,
    name: 'w',
    target: receiver.url,
    credentialHash: '',
    secret,
    createdAt: 0,
  });
  await world.subscribe(source.id, id);
};

test('an attempt of a workflow that waits for a connection is left to the retries when the workflow fails', async () => {
  await workflow();
  receiver.answer = () => 'hang';
  await world.deliver(Array.from({ length: SOCKETS + 1 }, () => world.message(source)));
  expect(receiver.received).toHaveLength(SOCKETS);
  const atOnce = world.retries.filter(({ delaySeconds }) => delaySeconds === 0);
  expect(atOnce).toMatchObject([{ message: { kind: 'retry', turn: 0 } }]);
});

test('an attempt that waits for a connection is not made when its webhook has failed meanwhile', async () => {
  const hook = await subscribed('/');
  const more = 20;
  receiver.answer = () => ({ status: 500, afterMs: 500 });
  await world.deliver(Array.from({ length: SOCKETS + more }, () => world.message(source)));
  expect(receiver.received).toHaveLength(SOCKETS);
  const items = await world.listed(hook);
  expect(items).toHaveLength(SOCKETS + more);
  expect(items.filter(isPending)).toHaveLength(more);
  expect(world.retries.filter(({ message }) => message.kind === 'probe')).toHaveLength(1);
});
