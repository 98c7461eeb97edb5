import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OPERATOR } from '../../infra/embedded/iam/authorizer.ts';
import { runCommand } from '../support/command.ts';
import { operator, operatorAt } from '../support/operator.ts';
import { ECHO, type Deployed, Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

const BASE = 'https://sqs.us-east-1.amazonaws.com/000000000000';
const QUEUE = { url: `${BASE}/target`, target: { kind: 'queue', arn: 'arn:aws:sqs:us-east-1:000000000000:target' } };
const FIFO = { url: `${QUEUE.url}.fifo`, target: { kind: 'queue', arn: `${QUEUE.target.arn}.fifo` } };
const BUS = {
  url: 'https://events.us-east-1.amazonaws.com/default',
  target: { kind: 'event_bus', arn: 'arn:aws:events:us-east-1:000000000000:event-bus/default' },
};

interface Message {
  Body: string;
  Attributes?: Record<string, string>;
  MessageAttributes?: Record<string, { StringValue: string }>;
}

let scene: Scene;
let source: Deployed;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());
beforeEach(async () => {
  source = await scene.source(ECHO);
});

const sqs = (operation: string, input: object) =>
  scene.cloud.cloud.call({ role: OPERATOR, service: 'SQS', operation, input: { ...input } });

/** Takes the messages of a queue, or the events of a bus, which a queue records. */
async function taken(name: string, count: number): Promise<Message[]> {
  const QueueUrl = `${BASE}/${name}`;
  const found: Message[] = [];
  await until(`${count} messages of ${name}`, async () => {
    const all = { MessageAttributeNames: ['All'], MessageSystemAttributeNames: ['All'] };
    const { Messages = [] } = await sqs('ReceiveMessage', { QueueUrl, MaxNumberOfMessages: 10, ...all });
    for (const message of Messages as (Message & { ReceiptHandle: string })[]) {
      found.push(message);
      const Entries = [{ Id: '1', ReceiptHandle: message.ReceiptHandle }];
      await sqs('DeleteMessageBatch', { QueueUrl, Entries });
    }
    return found.length >= count;
  });
  return found;
}

async function listener(settings: object, stream?: string): Promise<string> {
  const { status, body, text } = await scene.api.post('/webhooks', settings);
  expect(status, text).toBe(200);
  await scene.subscribe(source.id, body.data.id, stream);
  return body.data.id;
}

const deliveryOf = (id: string, status: string) =>
  until(`a delivery is ${status}`, async () => {
    const { body } = await scene.api.get(`/webhooks/${id}/deliveries`);
    const [delivery] = body.data;
    return delivery?.status === status && delivery;
  });

describe('a webhook with a target', () => {
  test('puts its events on a bus: first attempts, redeliveries and tests', async () => {
    const id = await listener(BUS, 'created');
    await scene.send(source.endpoint, { stream: 'created', event: { n: 1 } });
    const [{ Body } = expect.fail()] = await taken('events-of-default', 1);
    expect(JSON.parse(Body)).toMatchObject({
      source: 'tributary',
      'detail-type': 'created',
      detail: { event: { n: 1 }, metadata: { emitter_id: source.id, name: 'created' } },
    });
    const { id: deliveryId, last_attempt: last } = await deliveryOf(id, 'delivered');
    expect(last).toMatchObject({ outcome: 'delivered', status: 200 });
    await scene.api.post(`/webhooks/${id}/deliveries/${deliveryId}/redeliver`);
    const [again] = await taken('events-of-default', 1);
    expect(JSON.parse(again?.Body ?? '')).toMatchObject({ detail: { event: { n: 1 } } });
    const { body } = await scene.api.post(`/webhooks/${id}/test`, { n: 2 });
    expect(body.data).toMatchObject({ outcome: 'delivered', status: 200, reason: null });
    expect(body.data).toHaveProperty('answer', expect.stringMatching(/"EventId":"[\w-]+"/));
    const [tested] = await taken('events-of-default', 1);
    expect(JSON.parse(tested?.Body ?? '')).toMatchObject({ 'detail-type': '$test', detail: { event: { n: 2 } } });
  });

  test('sends its events to a queue, in its format and with their metadata', async () => {
    const id = await listener({ ...QUEUE, format: 'cloudevents' });
    await scene.send(source.endpoint, { n: 1 });
    const [{ Body, MessageAttributes } = expect.fail()] = await taken('target', 1);
    expect(JSON.parse(Body)).toMatchObject({ specversion: '1.0', data: { n: 1 } });
    expect(MessageAttributes?.['x-tributary-emitter']?.StringValue).toBe(source.id);
    const { body } = await scene.api.post(`/webhooks/${id}/test`, {});
    expect(body.data.outcome).toBe('delivered');
    await taken('target', 1);
  });

  test('sends to a FIFO queue in the group of the emitter, and a redelivery as a message of its own', async () => {
    const id = await listener(FIFO);
    await scene.send(source.endpoint, { n: 1 });
    const [first] = await taken('target.fifo', 1);
    const { id: deliveryId, emit_id: emitId } = await deliveryOf(id, 'delivered');
    expect(first?.Attributes).toMatchObject({ MessageGroupId: source.id, MessageDeduplicationId: emitId });
    await scene.api.post(`/webhooks/${id}/deliveries/${deliveryId}/redeliver`);
    const [again] = await taken('target.fifo', 1);
    expect(again?.Attributes?.['MessageDeduplicationId']).toBe(`${emitId}.2`);
  });

  test('sends what it held by a recovery, as messages of their own for a FIFO queue', async () => {
    const id = await listener(FIFO);
    await scene.api.put(`/webhooks/${id}`, { active: false });
    await scene.send(source.endpoint, { n: 1 });
    const { emit_id: emitId, created_at_ms: since } = await deliveryOf(id, 'held');
    await scene.api.put(`/webhooks/${id}`, { active: true });
    await scene.api.post(`/webhooks/${id}/recover`, { since: since - 1 });
    const [message] = await taken('target.fifo', 1);
    expect(message?.Attributes).toMatchObject({ MessageGroupId: source.id, MessageDeduplicationId: `${emitId}.1` });
  });

  test('leaves what it received for the operator of one machine to read, again and again', async () => {
    await listener(BUS);
    await scene.send(source.endpoint, { n: 1 });
    const read = async (arn: string) => {
      const operate = {
        operate: async (_: unknown, use: (of: ReturnType<typeof operatorAt>) => Promise<unknown>) =>
          use(operatorAt(scene.cloud)),
      };
      return runCommand(['admin', 'targets', arn, '--json'], operate as never);
    };
    const shown = await until('the command shows the event', async () => {
      const { out } = await read(BUS.target.arn);
      return out.includes(source.id) && out;
    });
    expect((await read(BUS.target.arn)).out).toBe(shown);
    const [received] = JSON.parse(shown) as { body: string }[];
    expect(JSON.parse(received?.body ?? '')).toMatchObject({ detail: { event: { n: 1 } } });
    expect(await read('arn:aws:sqs:us-east-1:000000000000:other')).toMatchObject({ code: 1 });
    await taken('events-of-default', 1);
  });

  test('rejects an event that the target cannot take, with the reason, and no other event', async () => {
    source = await scene.source(ECHO.replace('body.event ?? body', '{ text: "x".repeat(body.n) }'));
    const id = await listener(BUS);
    await scene.send(source.endpoint, { n: 1_048_400 });
    const { id: deliveryId, last_attempt: last } = await deliveryOf(id, 'retrying');
    expect(last).toMatchObject({ outcome: 'rejected', status: 400 });
    const { body } = await scene.api.get(`/webhooks/${id}/deliveries/${deliveryId}`);
    expect(body.data.attempt_log[0].reason).toBe(
      'ValidationException: Total size of the entries in the request is over the limit.',
    );
    await scene.send(source.endpoint, { n: 1 });
    const [{ Body } = expect.fail()] = await taken('events-of-default', 1);
    expect(JSON.parse(Body)).toMatchObject({ 'detail-type': 'default', detail: { event: { text: 'x' } } });
  });

  test('may become an ordinary one, and one with a target again', async () => {
    const { body } = await scene.api.post('/webhooks', QUEUE);
    const path = `/webhooks/${body.data.id}`;
    expect(body.data.target).toEqual({ ...QUEUE.target, role_arn: null });
    expect((await scene.api.put(path, { target: null, url: 'https://a.example/' })).body.data.target).toBeNull();
    expect((await scene.api.put(path, BUS)).body.data).toMatchObject(BUS);
    expect((await scene.api.get('/users/me/webhooks')).body.data[0]).toMatchObject(BUS);
    const { status, body: refused } = await scene.api.put(path, { url: 'https://a.example/' });
    expect([status, refused.error]).toEqual([
      400,
      `url must be ${BUS.url}, which names the target; a target of null ends it.`,
    ]);
  });
});

describe('a target is refused with 400', () => {
  const refusal = async (settings: object) => {
    const { status, body } = await scene.api.post('/webhooks', settings);
    return [status, body.error];
  };
  const target = (arn: string, more: object = {}) => ({ kind: 'queue', arn, ...more });

  test('outside of what the operator allows, naming the setting', async () => {
    const arn = 'arn:aws:sqs:us-east-1:000000000000:other';
    expect(await refusal({ url: `${BASE}/other`, target: target(arn) })).toEqual([
      400,
      expect.stringContaining('the setting `targets` of the stage'),
    ]);
  });

  test('that is a queue of the service itself', async () => {
    const url = scene.cloud.cloud.open.outputs['RunsQueueUrl'] ?? '';
    const arn = `arn:aws:sqs:us-east-1:000000000000:${url.replace(/^.*\//, '')}`;
    expect(await refusal({ url, target: target(arn) })).toEqual([
      400,
      'target.arn must not be a queue of the service itself.',
    ]);
  });

  test.each([
    [{ ...QUEUE, url: 'https://a.example/' }, /^url must be https:\/\/sqs\./],
    [{ ...QUEUE, target: { kind: 'topic', arn: QUEUE.target.arn } }, /^target\.kind must be one of event_bus, queue\./],
    [{ ...QUEUE, target: target(BUS.target.arn) }, /^target\.arn must be the ARN of a queue of SQS\./],
    [
      { ...QUEUE, target: target(QUEUE.target.arn, { role_arn: 'me' }) },
      /^target\.role_arn must be the ARN of a role\./,
    ],
    [
      { ...QUEUE, target: target(QUEUE.target.arn, { role_arn: 'arn:aws:iam::111122223333:role/r' }) },
      /^target\.role_arn is outside/,
    ],
    [{ ...QUEUE, target: target(QUEUE.target.arn, { external_id: 'mine' }) }, /external_id/],
    [{ ...BUS, format: 'slack' }, /^format must be event with an event bus/],
  ])('as it does not fit: %j', async (settings, message) => {
    expect(await refusal(settings)).toEqual([400, expect.stringMatching(message)]);
  });
});

test('a workflow with the ARN of a bus as its target gets its events there', async () => {
  const admin = operator(scene.cloud);
  const owner: string = (await scene.api.get('/users/me')).body.data.id;
  const own = { owner, name: 'Orders', target: BUS.target.arn };
  const { id } = await admin<{ id: string }>('workflows register', own);
  await scene.subscribe(source.id, id);
  await scene.send(source.endpoint, { flow: 1 });
  const [{ Body } = expect.fail()] = await taken('events-of-default', 1);
  expect(JSON.parse(Body)).toMatchObject({ 'detail-type': 'default', detail: { event: { flow: 1 } } });
});
