import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operator } from '../support/operator.ts';
import { Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

interface Registered {
  id: string;
  ingest_url: string;
  credential: string;
}

/** A response to an array, or an error. */
interface Emitted {
  data: { id: string }[];
  code?: string;
  error: string;
  details?: object[];
}

let scene: Scene;
let register: () => Promise<Registered>;
beforeAll(async () => {
  scene = await Scene.open();
  const owner = (await scene.api.get('/users/me')).body.data.id as string;
  register = () =>
    operator(scene.cloud)<Registered>('workflows register', {
      owner,
      name: 'Flow',
      target: 'https://example.com/flow',
    });
});
afterAll(() => scene.close());

async function emit(
  { ingest_url, credential }: Registered,
  body: unknown,
  { query = '', key }: { query?: string; key?: string } = {},
) {
  const response = await fetch(`${ingest_url}/emits${query}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${credential}`,
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Emitted };
}

const events = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));
const stored = async ({ id }: Registered) =>
  (await scene.events(id)).map(({ event }) => event.raw_event.n as number).toReversed();

test('an array of up to 100 events becomes as many events in its order, on one stream; the response has an id for each', async () => {
  const workflow = await register();
  const hook = await scene.webhook();
  await scene.subscribe(workflow.id, hook.id);
  const { status, body } = await emit(workflow, events(100));
  expect(status).toBe(200);
  expect(new Set(body.data.map(({ id }) => id)).size).toBe(100);
  const summaries = await scene.eventsOf(workflow.id, 100);
  expect(summaries.map(({ event }) => event.raw_event.n).toReversed()).toEqual(events(100).map(({ n }) => n));
  await until(
    'each is delivered',
    () => new Set(hook.receiver.bodies.map((sent) => JSON.stringify(sent))).size === 100,
  );
  const last = summaries[0]?.id;
  const { body: whole } = await scene.api.get(`/workflows/${workflow.id}/events/${last}`);
  expect(whole.data.trigger_id).toBe(body.data[99]?.id);
});

test('`event_name` is the stream of all events of an array; `include` and `exclude` choose fields of each element', async () => {
  const workflow = await register();
  const named = await emit(workflow, events(2), { query: '?event_name=other&exclude=id' });
  expect(named.body).toEqual({ data: [{}, {}] });
  expect(await scene.eventsOf(workflow.id, 2, { event_name: 'other' })).toHaveLength(2);
});

test('the text of each event is kept: digits and the order of members', async () => {
  const workflow = await register();
  await emit(workflow, '[{"big": 12345678901234567890, "a": 1}, {"b": 2, "2": 1}]');
  await scene.eventsOf(workflow.id, 2);
  const response = await fetch(`${scene.cloud.base}/workflows/${workflow.id}/event_summaries`, {
    headers: { authorization: `Bearer ${scene.cloud.key}` },
  });
  const text = await response.text();
  expect(text).toMatch(/"big": ?12345678901234567890/);
  expect(text).toMatch(/"b": ?2, ?"2": ?1/);
});

describe('an array that is not valid is refused whole, and nothing of it becomes an event', () => {
  const cases: [string, unknown, string, RegExp][] = [
    ['an empty array', [], '', /1 to 100 events; this one has 0/],
    ['more than 100 events', events(101), '', /1 to 100 events; this one has 101/],
    ['an element that is a number', [{ n: 1 }, 5], '1', /The event at index 1 of the array must be a JSON object/],
    ['an element that is an array', [[{ n: 1 }]], '0', /index 0/],
    ['an element that is null', [...events(99), null], '99', /index 99/],
  ];
  test.each(cases)('%s', async (_, body, path, message) => {
    const workflow = await register();
    const refused = await emit(workflow, body);
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request']);
    expect(refused.body.error).toMatch(message);
    expect(refused.body.details).toEqual([{ path, message: expect.any(String) }]);
    await emit(workflow, { n: -1 });
    await scene.eventsOf(workflow.id, 1);
    expect(await stored(workflow)).toEqual([-1]);
  });

  test('a body above 1 MiB in all', async () => {
    const workflow = await register();
    const text = 'x'.repeat(2 ** 20 / 50);
    expect(
      (
        await emit(
          workflow,
          Array.from({ length: 50 }, () => ({ text })),
        )
      ).status,
    ).toBe(413);
  });
});

test('an array with an Idempotency-Key makes its events once, also in concurrent requests, and each gets the same ids', async () => {
  const workflow = await register();
  const responses = await Promise.all(Array.from({ length: 5 }, () => emit(workflow, events(25), { key: 'batch-1' })));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  await emit(workflow, { n: 25 });
  await scene.eventsOf(workflow.id, 26);
  expect(await stored(workflow)).toEqual([...Array(26).keys()]);
});

test('a key that an array was accepted with gets the response of that array, whatever its repetition has', async () => {
  const workflow = await register();
  const first = await emit(workflow, events(3), { key: 'batch' });
  for (const body of [events(2), { n: 7 }])
    expect((await emit(workflow, body, { key: 'batch' })).body).toEqual(first.body);
});

test('errors of workflows come one by one', async () => {
  const workflow = await register();
  const response = await fetch(`${workflow.ingest_url}/errors`, {
    method: 'POST',
    headers: { authorization: `Bearer ${workflow.credential}`, 'content-type': 'application/json' },
    body: JSON.stringify([{ original_event: {}, error: { code: 'Oops', stack: '' } }]),
  });
  expect(response.status).toBe(400);
});
