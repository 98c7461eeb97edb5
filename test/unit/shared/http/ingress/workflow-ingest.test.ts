import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { UserId, WorkflowId } from '../../../../../shared/domain/id.ts';
import type { Trigger } from '../../../../../shared/domain/run/message.ts';
import type { IngressEvent } from '../../../../../shared/http/ingress/ingress-request.ts';
import { createWorkflowIngest } from '../../../../../shared/http/ingress/workflow-ingest.ts';
import type { IdempotencyStore } from '../../../../../shared/store/table/idempotency.ts';

const id = WorkflowId.parse('p_1');
const request = (body: unknown): IngressEvent => ({
  rawPath: `/workflows/${id}/emits`,
  rawQueryString: '',
  headers: {
    authorization: 'Bearer credential',
    'content-type': 'application/json',
    'idempotency-key': 'key',
  },
  body: JSON.stringify(body),
  isBase64Encoded: false,
  requestContext: { requestId: 'r', http: { method: 'POST', sourceIp: '192.0.2.1' } },
});

/** An ingress whose queue fails at first, and whose user may have used up the storage. */
function world({ failures = 0, isFull = false, allowed = Infinity } = {}) {
  const counted: [string, string, number | undefined][] = [];
  const claims = new Map<string, Awaited<ReturnType<IdempotencyStore['claim']>>>();
  const sent: Trigger[][] = [];
  let left = failures;
  const sendTriggers = (triggers: readonly Trigger[]) => {
    sent.push([...triggers]);
    left -= 1;
    return left >= 0 ? Promise.reject(new Error('the queue is away')) : Promise.resolve();
  };
  const ingest = createWorkflowIngest({
    workflows: {
      find: () =>
        Promise.resolve({
          id,
          ownerId: UserId.parse('u_1'),
          name: 'Flow',
          target: 'https://example.com',
          credentialHash: createHash('sha256').update('credential').digest('hex'),
          secret: { dataKey: '', nonce: '', text: '' },
          createdAt: 0,
        }),
    },
    idempotency: {
      claim(hash, claim) {
        const known = claims.get(hash) ?? { ...claim, accepted: false };
        claims.set(hash, known);
        return Promise.resolve(known);
      },
      settle(hash, claim) {
        claims.set(hash, { ...claim, accepted: true });
        return Promise.resolve();
      },
    },
    rates: {
      accept(emitterId, ownerId, events) {
        counted.push([emitterId, ownerId, events]);
        return Promise.resolve((events ?? 1) <= allowed);
      },
    },
    storage: { isFullFor: () => Promise.resolve(isFull) },
    sendTrigger: (trigger) => sendTriggers([trigger]),
    sendTriggers,
    now: () => 7,
  });
  const emit = (body: unknown, text = JSON.stringify(body)) =>
    ingest({ ...request(body), body: text }, () => undefined);
  return { sent, counted, emit };
}

test('an array whose sending failed is sent again with the same ids, which the queue knows', async () => {
  const { emit, sent } = world({ failures: 1 });
  const body = [{ n: 1 }, { n: 2 }];
  await expect(emit(body)).rejects.toThrow('away');
  const response = await emit(body);
  const [first = [], second = []] = sent.map((triggers) => triggers.map((trigger) => trigger.id));
  expect(second).toEqual(first);
  expect(response).toEqual(first.map((triggerId) => ({ id: triggerId })));
});

test.each([[{ n: 1 }], [[{ n: 1 }]], [[{ n: 1 }, { n: 2 }, { n: 3 }]]])(
  'while the end of an array is unknown, its key is refused with other events: %j',
  async (other) => {
    const { emit, sent } = world({ failures: 1 });
    await expect(emit([{ n: 1 }, { n: 2 }])).rejects.toThrow('away');
    await expect(emit(other)).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ path: 'Idempotency-Key' }],
    });
    expect(sent).toHaveLength(1);
  },
);

test('each event of an array counts for the rate of requests, and a refused array sends nothing', async () => {
  const { emit, sent, counted } = world({ allowed: 2 });
  await emit([{ n: 1 }, { n: 2 }]);
  await expect(emit([{ n: 1 }, { n: 2 }, { n: 3 }])).rejects.toMatchObject({
    kind: 'rate_limited',
    code: 'rate_exceeded',
    retryAfterSeconds: 10,
  });
  expect(counted).toEqual([
    [id, 'u_1', 2],
    [id, 'u_1', 3],
  ]);
  expect(sent).toHaveLength(1);
});

test('each event is sent with its text as it stands in the body, and with the time of its request', async () => {
  const { emit, sent } = world();
  await emit(undefined, ' [ {"b": 1, "a": [2]} , {"big": 12345678901234567890} ] ');
  expect(sent.flat()).toMatchObject([
    { at: 7, payload: { json: '{"b": 1, "a": [2]}' } },
    { at: 7, payload: { json: '{"big": 12345678901234567890}' } },
  ]);
});

test('the space around a single event is no part of it', async () => {
  const { emit, sent } = world();
  await emit(undefined, '\n {"b": 1} \n');
  expect(sent.flat()).toMatchObject([{ payload: { json: '{"b": 1}' } }]);
});

test('an array of a user whose storage is full is refused with 429 and Retry-After, as one event is', async () => {
  const { emit, sent } = world({ isFull: true });
  await expect(emit([{ n: 1 }])).rejects.toMatchObject({
    kind: 'rate_limited',
    code: 'storage_full',
    retryAfterSeconds: expect.any(Number),
  });
  expect(sent).toEqual([]);
});
