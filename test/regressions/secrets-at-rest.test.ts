import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encryptText } from '../../shared/aws/encryption/sealed-text.ts';
import { newId, UserId, WebhookId, WorkflowId } from '../../shared/domain/id.ts';
import { webhookSecret } from '../../shared/domain/webhook/webhook.ts';
import { webhookKey, workflowKey } from '../../shared/store/table/keys.ts';
import { workflowStore } from '../../shared/store/emitters/workflows.ts';
import { aWebhook } from '../support/a-webhook.ts';
import { operator } from '../support/operator.ts';
import { Receiver } from '../support/receiver.ts';
import { type Deployed, ECHO, Scene } from '../support/scene.ts';
import { tableOf } from '../support/stores.ts';
import { until } from '../support/until.ts';

let scene: Scene;
let source: Deployed;
let ownerId: UserId;
beforeAll(async () => {
  scene = await Scene.open();
  source = await scene.source(ECHO);
  ownerId = UserId.parse((await scene.api.get('/users/me')).body.data.id);
});
afterAll(() => scene.close());

/** The item as it lies in the table, as text. */
async function stored(key: ReturnType<typeof webhookKey>): Promise<string> {
  const { dynamo, tableName } = tableOf(scene.cloud);
  const { Item } = await dynamo.send(new GetCommand({ TableName: tableName, Key: key }));
  return JSON.stringify(Item);
}

let sent = 0;
/** Sends an event, and checks that the secret verifies its delivery. */
async function expectSigned(receiver: Receiver, secret: string): Promise<void> {
  const n = (sent += 1);
  await scene.send(source.endpoint, { n });
  const body = JSON.stringify({ n });
  await until('delivered', () => receiver.received.some((one) => one.body === body));
  const got = receiver.received.find((one) => one.body === body);
  new Verifier(secret).verify(body, got?.headers as Record<string, string>);
}

test('the secret of a webhook is encrypted at rest, and signs its deliveries', async () => {
  const hook = await scene.webhook();
  await scene.subscribe(source.id, hook.id);
  const item = await stored(webhookKey(WebhookId.parse(hook.id)));
  expect(item).toContain('"dataKey"');
  expect(item).not.toMatch(/whsec_/);
  expect(item).not.toContain(hook.secret.slice('whsec_'.length));
  await expectSigned(hook.receiver, hook.secret);
});

test('the headers of a webhook are encrypted at rest', async () => {
  const headers = { authorization: 'Bearer a-credential-of-the-receiver' };
  const { body } = await scene.api.post('/webhooks', { url: 'https://example.org/', headers });
  const item = await stored(webhookKey(WebhookId.parse(body.data.id)));
  expect(item).not.toContain('a-credential');
  expect((await scene.api.get(`/webhooks/${body.data.id}`)).body.data.headers).toEqual(headers);
});

test('the secret of a workflow is encrypted at rest, and signs its deliveries', async () => {
  const receiver = await Receiver.start();
  const flow = await operator(scene.cloud)<{ id: string; secret: string }>('workflows register', {
    owner: ownerId,
    name: 'flow',
    target: receiver.url,
  });
  await scene.subscribe(source.id, flow.id);
  const item = await stored(workflowKey(WorkflowId.parse(flow.id)));
  expect(item).toContain('"dataKey"');
  expect(item).not.toMatch(/whsec_/);
  await expectSigned(receiver, flow.secret);
  await receiver.stop();
});

test('a webhook of an earlier release delivers, and its next change encrypts its secret', async () => {
  const receiver = await Receiver.start();
  const secret = webhookSecret(randomBytes(32));
  const id = WebhookId.parse(newId('webhook', Date.now(), randomBytes));
  const at = Date.now();
  const { name, description, url, active } = aWebhook({ id, ownerId, url: receiver.url });
  const { dynamo, tableName: TableName } = tableOf(scene.cloud);
  const Item = {
    ...webhookKey(id),
    ...{ id, ownerId, name, description, url, active, secret, createdAt: at, updatedAt: at },
  };
  await dynamo.send(new PutCommand({ TableName, Item }));
  await scene.subscribe(source.id, id);
  expect(await stored(webhookKey(id))).toContain(secret);
  await expectSigned(receiver, secret);
  expect((await scene.api.put(`/webhooks/${id}`, { name: 'renamed' })).status).toBe(200);
  const item = await stored(webhookKey(id));
  expect(item).toContain('"renamed"');
  expect(item).not.toMatch(/whsec_/);
  await expectSigned(receiver, secret);
  const before = item;
  await scene.api.put(`/webhooks/${id}`, { name: 'again' });
  const sealedIn = (text: string) => (JSON.parse(text) as { secret: unknown }).secret;
  expect(sealedIn(await stored(webhookKey(id)))).toEqual(sealedIn(before));
  await receiver.stop();
});

const Made = z.object({ Plaintext: z.instanceof(Uint8Array), CiphertextBlob: z.instanceof(Uint8Array) });

/** Fields of a webhook as earlier releases sealed them: with a data key of its own. */
async function sealedAlone(id: WebhookId, fields: object) {
  const { services, open } = scene.cloud.cloud;
  const made = await services.kms.call('GenerateDataKey', {
    KeyId: open.outputs['AccountKeyArn'],
    KeySpec: 'AES_256',
    EncryptionContext: { owner: ownerId, listener: id },
  });
  const { Plaintext, CiphertextBlob } = Made.parse(made);
  const dataKey = Buffer.from(CiphertextBlob).toString('base64');
  return { dataKey, ...encryptText(Plaintext, [ownerId, id], JSON.stringify(fields)) };
}

test('a webhook that was sealed with a data key of its own delivers with its headers', async () => {
  const hook = await scene.webhook();
  const id = WebhookId.parse(hook.id);
  const sent = { 'x-own': 'header' };
  await scene.api.put(`/webhooks/${id}`, { headers: sent });
  const { dynamo, tableName: TableName } = tableOf(scene.cloud);
  const { Item } = await dynamo.send(new GetCommand({ TableName, Key: webhookKey(id) }));
  expect(Item).toMatchObject({ secret: { day: expect.any(String) }, headers: { day: expect.any(String) } });
  const [secret, headers] = [
    await sealedAlone(id, { secret: hook.secret }),
    await sealedAlone(id, { headers: JSON.stringify([['x-own', 'header']]) }),
  ];
  await dynamo.send(new PutCommand({ TableName, Item: { ...Item, secret, headers } }));
  await scene.subscribe(source.id, id);
  await expectSigned(hook.receiver, hook.secret);
  expect(hook.receiver.received.at(-1)?.headers).toMatchObject(sent);
  expect((await scene.api.get(`/webhooks/${id}`)).body.data.headers).toEqual(sent);
});

test('a workflow of an earlier release delivers', async () => {
  const receiver = await Receiver.start();
  const secret = webhookSecret(randomBytes(32));
  const id = WorkflowId.parse(newId('workflow', Date.now(), randomBytes));
  await workflowStore(tableOf(scene.cloud)).create({
    id,
    ownerId,
    name: 'old',
    target: receiver.url,
    secret,
    credentialHash: 'hash',
    createdAt: Date.now(),
  });
  await scene.subscribe(source.id, id);
  await expectSigned(receiver, secret);
  await receiver.stop();
});

test('another process shows the headers that this one sealed', async () => {
  const headers = { authorization: 'Bearer of-the-receiver' };
  const { body } = await scene.api.post('/webhooks', { url: 'https://example.org/', headers });
  await scene.cloud.restart();
  const response = await fetch(`${scene.cloud.base}/webhooks/${body.data.id}`, {
    headers: { authorization: `Bearer ${scene.cloud.key}` },
  });
  expect(await response.json()).toMatchObject({ data: { headers } });
});
