import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../support/api-client.ts';
import { startTestCloud, type TestCloud } from '../support/cloud.ts';
import { emitter } from '../support/components.ts';
import { aUser, aWorkflow } from '../support/stores.ts';
import { until } from '../support/until.ts';

let cloud: TestCloud;
let api: ApiClient;
/** Built once. */
let component: string;
let id: string;
beforeAll(async () => {
  cloud = await startTestCloud();
  api = await apiClient(cloud.base, cloud.key);
  component = (await api.post('/components', { component_code: emitter() })).body.data.id;
});
afterAll(() => cloud.stop());
beforeEach(async () => {
  const { body } = await api.post('/sources', { component_id: component });
  id = body.data.id;
});

interface Summary {
  id: string;
  event: Record<string, unknown>;
  metadata: Record<string, unknown>;
}
const read = async (query: Record<string, string | number> = {}) => {
  const { body } = await api.get(`/sources/${id}/event_summaries`, query);
  return body as { page_info: Record<string, unknown>; data: Summary[] };
};
/** Emits through one run, and waits until all of it can be read. */
async function emit(emits: unknown[][], stream = 'default'): Promise<void> {
  const { page_info: before } = await read({ event_name: stream });
  const expected = Math.min(100, Number(before['total_count']) + emits.length);
  const newest = before['start_cursor'];
  await api.post(`/sources/${id}/run`, { emits });
  await until('the events are readable', async () => {
    const { page_info: now } = await read({ event_name: stream });
    return now['total_count'] === expected && now['start_cursor'] !== newest;
  });
}
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => [{ n: from + n }]);
const ns = ({ data }: { data: Summary[] }) => data.map(({ event }) => event['n']);

describe('GET event_summaries', () => {
  test('limit=N is the last N, default 10, newest first; total_count is what is readable', async () => {
    await emit(numbers(1, 25));
    expect(ns(await read())).toEqual([25, 24, 23, 22, 21, 20, 19, 18, 17, 16]);
    const three = await read({ limit: 3 });
    expect(ns(three)).toEqual([25, 24, 23]);
    const ids = three.data.map((event) => event.id);
    expect(three.page_info).toEqual({ total_count: 25, count: 3, start_cursor: ids[0], end_cursor: ids[2] });
  });

  test('at most the last 100 are readable, and ids increase strictly', async () => {
    await emit(numbers(1, 130));
    const all = await read({ limit: 100 });
    expect(ns(all)).toEqual(Array.from({ length: 100 }, (_, n) => 130 - n));
    expect(all.page_info['total_count']).toBe(100);
    const positions = all.data.map((event) => event.id.split('-').map(Number));
    for (const [at, [ms = 0, sequence = 0]] of positions.entries()) {
      const [laterMs = Infinity, laterSequence = Infinity] = positions[at - 1] ?? [];
      expect(ms < laterMs || (ms === laterMs && sequence < laterSequence)).toBe(true);
    }
    expect((await read({ limit: 100, after: all.data[99]?.id ?? '' })).data).toEqual([]);
  });

  test('after goes further down, before gives those nearest above; a walk ends with an empty page', async () => {
    await emit(numbers(1, 7));
    const first = await read({ limit: 3 });
    const second = await read({ limit: 3, after: String(first.page_info['end_cursor']) });
    expect(ns(second)).toEqual([4, 3, 2]);
    expect(ns(await read({ limit: 2, before: String(second.page_info['start_cursor']) }))).toEqual([6, 5]);
    expect(ns(await read({ limit: 9, after: String(second.page_info['end_cursor']) }))).toEqual([1]);
    const end = await read({ limit: 3, after: second.data.length > 0 ? '1-0' : '' });
    expect(end).toEqual({
      page_info: { total_count: 7, count: 0, start_cursor: null, end_cursor: null },
      data: [],
    });
    expect(ns(await read({ before: '1-0' }))).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect(ns(await read({ limit: 2, after: '999999999999999-0' }))).toEqual([7, 6]);
    expect((await read({ before: '999999999999999-0' })).data).toEqual([]);
  });

  test.each([
    [{ after: 'abc' }, 'invalid_cursor'],
    [{ before: '12' }, 'invalid_cursor'],
    [{ after: '1-0', before: '2-0' }, 'invalid_request'],
    [{ expand: 'events' }, 'invalid_request'],
    [{ limit: 0 }, 'invalid_request'],
    [{ limit: 101 }, 'invalid_request'],
    [{ event_name: 'x'.repeat(129) }, 'invalid_request'],
    [{ event_name: 'a\nb' }, 'invalid_request'],
  ])('%j is 400', async (query, code) => {
    const { status, body } = await api.get(`/sources/${id}/event_summaries`, query as Record<string, string>);
    expect([status, body.code]).toEqual([400, code]);
  });

  test('event_name picks a stream; absent, empty and default are the default stream', async () => {
    await emit([[{ n: 1 }]]);
    await emit([[{ n: 2 }, { name: 'other' }]], 'other');
    for (const query of [{}, { event_name: '' }, { event_name: 'default' }]) expect(ns(await read(query))).toEqual([1]);
    const { data } = await read({ event_name: 'other' });
    expect(data[0]).toMatchObject({ event: { n: 2 }, metadata: { name: 'other', emitter_id: id } });
    expect((await read({ event_name: 'unknown' })).data).toEqual([]);
  });

  test('metadata has id, summary and ts of the emit, each only when set', async () => {
    await emit([[{ n: 1 }, { id: 'own', summary: 'short', ts: 1_700_000_000_000 }]]);
    expect((await read()).data[0]?.metadata).toEqual({
      emit_id: expect.any(String) as string,
      name: '',
      emitter_id: id,
      id: 'own',
      summary: 'short',
      ts: 1_700_000_000_000,
    });
    await emit([[{ n: 2 }]]);
    expect(Object.keys((await read()).data[0]?.metadata ?? {})).toEqual(['emit_id', 'name', 'emitter_id']);
  });

  test('data of 1,024 bytes is whole; above it is a smaller rendering, and expand=event gives all', async () => {
    const exact = { text: 'x'.repeat(1_024 - '{"text":""}'.length) };
    const above = {
      first: 1,
      text: 'ä€😀'.repeat(300),
      deep: { a: { b: [{ c: 'y'.repeat(500) }] } },
      last: true,
    };
    await emit([[exact], [above]]);
    const [rendered, whole] = (await read()).data;
    expect(whole?.event).toEqual(exact);
    expect(whole?.metadata).not.toHaveProperty('truncated');
    expect(rendered?.metadata['truncated']).toBe(true);
    expect(Object.keys(rendered?.event ?? {})).toEqual(['first', 'text', 'deep', 'last']);
    expect(Buffer.byteLength(JSON.stringify(rendered?.event))).toBeLessThanOrEqual(1_024);
    const [expanded] = (await read({ expand: 'event', limit: 1 })).data;
    expect(expanded?.event).toEqual(above);
    expect(expanded?.metadata).not.toHaveProperty('truncated');
  });

  test.each([['text'], [5], [true], [null], [[1, 2]]])('%j is shown as raw_event', async (value) => {
    await emit([[value]]);
    expect((await read()).data[0]?.event).toEqual({ raw_event: value });
  });

  test('a page of whole events ends at about 4.5 MB, and walking on sees everything', async () => {
    const large = (n: number) => [{ n, text: 'x'.repeat(1_000_000) }];
    for (let n = 1; n <= 7; n += 1) await emit([large(n)]);
    const seen: unknown[] = [];
    let pages = 0;
    for (let after: string | null = ''; after !== null; pages += 1) {
      const { status, text, body } = await api.get(`/sources/${id}/event_summaries`, {
        limit: 100,
        expand: 'event',
        after,
      });
      expect(status).toBe(200);
      expect(text.length).toBeLessThan(4_700_000);
      expect(body.page_info.total_count).toBe(7);
      seen.push(...ns(body));
      after = body.page_info.end_cursor;
    }
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect(pages).toBe(3);
    const { body } = await api.get(`/sources/${id}/event_summaries`, {
      limit: 100,
      expand: 'event',
      before: '1-0',
    });
    expect(ns(body)).toEqual([4, 3, 2, 1]);
  });

  test('include and exclude apply to each summary', async () => {
    await emit([[{ n: 1 }]]);
    const { body } = await api.get(`/sources/${id}/event_summaries`, { include: 'id,event', exclude: 'id' });
    expect(body.data).toEqual([{ event: { n: 1 } }]);
  });

  test('the older list has whole events and no page_info', async () => {
    const data = { text: 'x'.repeat(3_000) };
    await emit([[{ n: 1 }], [data]]);
    const { body } = await api.get(`/sources/${id}/events`);
    expect(body.data.map((event: { e: unknown }) => event.e)).toEqual([data, { n: 1 }]);
    expect(body.data[0]).toMatchObject({ k: 'emit', ts: Number(body.data[0].id.split('-')[0]) });
  });
});

describe('filter= on event summaries', () => {
  const filtered = (filter: object, more: Record<string, string | number> = {}) =>
    read({ filter: JSON.stringify(filter), ...more });

  test('total_count counts what matches, limit=N is the last N that match, and cursors walk those', async () => {
    await emit(Array.from({ length: 30 }, (_, n) => [{ n, kind: n % 3 === 0 ? 'third' : 'other' }]));
    const newest = await filtered({ kind: ['third'] }, { limit: 4 });
    expect(ns(newest)).toEqual([27, 24, 21, 18]);
    expect(newest.page_info).toMatchObject({ total_count: 10, count: 4 });
    const after = String(newest.page_info['end_cursor']);
    expect(ns(await filtered({ kind: ['third'] }, { limit: 4, after }))).toEqual([15, 12, 9, 6]);
    expect(ns(await filtered({ kind: ['third'] }, { limit: 2, before: after }))).toEqual([24, 21]);
    const none = await filtered({ kind: ['none'] });
    expect([none.data, none.page_info]).toEqual([
      [],
      { total_count: 0, count: 0, start_cursor: null, end_cursor: null },
    ]);
    expect((await read({ filter: '' })).page_info['total_count']).toBe(30);
  });

  test('sees the whole event, also where the summary is shortened, and raw_event', async () => {
    await emit([[{ text: 'x'.repeat(5_000), last: 'here' }], ['bare'], [{ other: 1 }]]);
    const [long] = (await filtered({ last: ['here'], text: [{ suffix: 'xxx' }] })).data;
    expect(long?.metadata['truncated']).toBe(true);
    const [whole] = (await filtered({ last: ['here'] }, { expand: 'event' })).data;
    expect(whole?.event['last']).toBe('here');
    expect((await filtered({ raw_event: ['bare'] })).data.map(({ event }) => event)).toEqual([{ raw_event: 'bare' }]);
    expect((await filtered({ raw_event: [{ exists: false }] })).page_info['total_count']).toBe(2);
  });

  test('applies to $errors, and a wrong one is a 400', async () => {
    for (const code of ['E_ONE', 'E_TWO']) await api.post(`/sources/${id}/run`, { throws: 'broken', code });
    await until('both errors', async () => (await read({ event_name: '$errors' })).data.length === 2);
    const { data } = await filtered({ error: { code: ['E_TWO'] } }, { event_name: '$errors' });
    expect(data).toMatchObject([{ event: { error: { code: 'E_TWO' } } }]);
    const { status, body } = await api.get(`/sources/${id}/event_summaries`, { filter: '{"a":"x"}' });
    expect([status, body.details[0].path]).toEqual([400, 'filter.a']);
  });
});

describe('an error summary', () => {
  test('keeps error and original_context, the original event is shortened first', async () => {
    await api.post(`/sources/${id}/run`, { throws: 'broken', code: 'E_BROKEN', padding: 'p'.repeat(5_000) });
    const [error] = await until('the error', async () => {
      const { data } = await read({ event_name: '$errors' });
      return data.length > 0 && data;
    });
    const event = error?.event as Record<string, Record<string, unknown>>;
    expect(error?.metadata).toMatchObject({ name: '$errors', truncated: true });
    expect(event['error']).toMatchObject({ code: 'E_BROKEN', cellId: '', ts: expect.any(String) as string });
    expect(event['original_context']).toMatchObject({ source_type: 'api', verified: false, source_id: id });
    expect(Object.keys(event['original_context'] ?? {})).toHaveLength(9);
    expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThanOrEqual(1_024);
    const whole = (await read({ event_name: '$errors', expand: 'event' })).data[0]?.event;
    expect(whole?.['original_event']).toMatchObject({ padding: 'p'.repeat(5_000) });
  });
});

describe('DELETE events', () => {
  const remove = async (query: Record<string, string> = {}) => {
    const { status, body } = await api.delete(`/sources/${id}/events`, query);
    expect([status, body]).toEqual([202, { data: {} }]);
  };
  const becomes = (expected: number[]) =>
    until(`the events are ${JSON.stringify(expected)}`, async () => {
      const now = ns(await read({ limit: 100 }));
      return JSON.stringify(now) === JSON.stringify(expected);
    });
  let ids: string[];
  beforeEach(async () => {
    await emit(numbers(1, 5));
    ids = (await read()).data.map((event) => event.id).reverse();
  });
  const at = (n: number) => ids[n - 1] ?? '';

  test('with neither id all events go, of every stream', async () => {
    await emit([[{ n: 9 }, { name: 'other' }]], 'other');
    await remove();
    await becomes([]);
    await until('the other stream is empty', async () => (await read({ event_name: 'other' })).data.length === 0);
  });
  test('with only start_id, that event and every later one', async () => {
    await remove({ start_id: at(3) });
    await becomes([2, 1]);
  });
  test('with only end_id, that event and every earlier one', async () => {
    await remove({ end_id: at(3) });
    await becomes([5, 4]);
  });
  test('with both the range, both ends included', async () => {
    await remove({ start_id: at(2), end_id: at(4) });
    await becomes([5, 1]);
  });
  test('the same id twice deletes exactly that event', async () => {
    await remove({ start_id: at(3), end_id: at(3) });
    await becomes([5, 4, 2, 1]);
  });
  test('ids are positions, whether or not there is such an event', async () => {
    await remove({ start_id: '1-0', end_id: '2-0' });
    await remove({ start_id: '999999999999999-0' });
    await remove({ start_id: at(4), end_id: '999999999999999-0' });
    await becomes([3, 2, 1]);
  });
  test('with event_name only that stream', async () => {
    await emit([[{ n: 9 }, { name: 'other' }]], 'other');
    await remove({ event_name: 'other' });
    await until('the other stream is empty', async () => (await read({ event_name: 'other' })).data.length === 0);
    await becomes([5, 4, 3, 2, 1]);
  });
  test('it covers what was stored when it was accepted; later events stay', async () => {
    const [deleted] = await Promise.all([
      api.delete(`/sources/${id}/events`),
      api.post(`/sources/${id}/run`, { emits: [[{ n: 6 }]] }),
    ]);
    expect(deleted.status).toBe(202);
    await becomes([6]);
  });
  test('the ids are taken from the JSON body too', async () => {
    const body = { start_id: at(5) };
    expect((await api.call('DELETE', `/sources/${id}/events`, { body })).status).toBe(202);
    await becomes([4, 3, 2, 1]);
  });
  test.each([[{ start_id: 'x' }], [{ end_id: '5' }], [{ start_id: '2-0', end_id: '1-0' }]])(
    '%j is 400',
    async (query) => {
      const { status } = await api.delete(`/sources/${id}/events`, query as Record<string, string>);
      expect(status).toBe(400);
    },
  );
  test('an unset variable or a misspelt name is 400, and deletes nothing', async () => {
    const path = `/sources/${id}/events`;
    for (const [query, name] of [
      ['start_id=&end_id=', 'start_id'],
      [`start_id=${at(2)}&end_id=`, 'end_id'],
      ['end_id=', 'end_id'],
      ['start_id', 'start_id'],
      [`startId=${at(2)}`, 'startId'],
      [`start=${at(2)}&end=${at(3)}`, 'start'],
      [`Start_ID=${at(2)}`, 'Start_ID'],
      ['stream=other', 'stream'],
      ['event_nam%65=default&dry_run=true', 'dry_run'],
      ['=', ''],
      ['__proto__=1', '__proto__'],
    ] as const) {
      const { status, body } = await api.call('DELETE', path, { query });
      expect([status, body.code, body.details?.[0]?.path], query).toEqual([400, 'invalid_request', name]);
    }
    for (const [body, name] of [
      [{ start_id: '' }, 'start_id'],
      [{ start_id: null }, 'start_id'],
      [{ startId: at(2) }, 'startId'],
      [{ 'end-id': at(2), org_id: 'o' }, 'end-id'],
      [{ eventName: 'other' }, 'eventName'],
    ] as const) {
      const response = await api.call('DELETE', path, { body });
      expect([response.status, response.body.details[0].path], name).toEqual([400, name]);
    }
    await emit(numbers(6, 6));
    await becomes([6, 5, 4, 3, 2, 1]);
    // Names that every operation ignores or takes.
    await api.call('DELETE', path, { query: `start_id=${at(5)}&include=&exclude=id`, body: { org_id: 'o' } });
    await becomes([4, 3, 2, 1]);
  });
  test('an empty event_name is the default stream', async () => {
    await emit([[{ n: 9 }, { name: 'other' }]], 'other');
    expect((await api.call('DELETE', `/sources/${id}/events`, { query: 'event_name=' })).status).toBe(202);
    await becomes([]);
    expect((await read({ event_name: 'other' })).data).toHaveLength(1);
  });
  test('ten concurrent requests are all accepted', async () => {
    const responses = await Promise.all(Array.from({ length: 10 }, () => api.delete(`/sources/${id}/events`)));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 202));
    await becomes([]);
  });
  test('an event once out of the last 100 never comes back into view', async () => {
    await emit(numbers(6, 120));
    const newest = (await read({ limit: 50 })).data.at(-1)?.id ?? '';
    await remove({ start_id: newest });
    await becomes(Array.from({ length: 50 }, (_, n) => 70 - n));
  });
});

test('a workflow has summaries of what it emitted and of its errors', async () => {
  const owner = await aUser(cloud);
  const theirs = api.as(owner.key);
  const { id: workflow, credential } = await aWorkflow(cloud, owner.id);
  const post = (path: string, body: unknown) =>
    fetch(`${cloud.ingress}/workflows/${workflow}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  expect((await post('emits', { hello: 1 })).status).toBe(200);
  expect((await post('errors', { original_event: { a: 1 }, error: { code: 'E', stack: 'at x' } })).status).toBe(200);
  const [emitted] = await until('the emit', async () => {
    const { body } = await theirs.get(`/workflows/${workflow}/event_summaries`);
    return body.data.length > 0 && body.data;
  });
  expect(emitted).toMatchObject({
    event: { raw_event: { hello: 1 } },
    metadata: { name: '', emitter_id: workflow },
  });
  const [failed] = await until('the error', async () => {
    const { body } = await theirs.get(`/workflows/${workflow}/$errors/event_summaries`);
    return body.data.length > 0 && body.data;
  });
  expect(failed.event).toMatchObject({ original_event: { a: 1 }, error: { code: 'E', stack: 'at x' } });
  expect(failed.metadata.name).toBe('$errors');
  for (const [path, matching, other] of [
    ['event_summaries', { raw_event: { hello: [1] } }, { hello: [1] }],
    ['$errors/event_summaries', { error: { code: ['E'] } }, { error: { code: ['F'] } }],
  ] as const) {
    const count = async (filter: object) =>
      (await theirs.get(`/workflows/${workflow}/${path}`, { filter: JSON.stringify(filter) })).body.page_info
        .total_count;
    expect([await count(matching), await count(other)]).toEqual([1, 0]);
  }
  expect((await api.get(`/workflows/${workflow}/event_summaries`)).status).toBe(404);
  expect((await api.get('/workflows/dc_x/event_summaries')).status).toBe(400);
});
