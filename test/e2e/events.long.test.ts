import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Deployed, Scene, type Summary } from '../support/scene.ts';
import { SteppingClock } from '../support/stepping-clock.ts';
import { until } from '../support/until.ts';

const HOUR = 3_600_000;
const clock = new SteppingClock(5 * HOUR);
let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open({ clock });
});
afterAll(() => scene.close());

/** Emits each of `body.events`, or `body.count` numbers from `body.from`. */
const MANY = `export default { name: 'Many', version: '1', props: { http: '$.interface.http' }, run({ body }) {
  const events = body.events ?? Array.from({ length: body.count }, (_, i) => ({ n: (body.from ?? 0) + i }));
  for (const event of events) this.$emit(event, { name: body.stream });
} };`;
const numbers = (events: Summary[]) => events.map(({ event }) => event.n as number);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const newestFirst = (from: number, to: number) => range(from, to).reverse();

/** A source with events 1 to `count` on the default stream; ids oldest first. */
async function filled(count: number): Promise<{ source: Deployed; ids: string[] }> {
  const source = await scene.source(MANY);
  await scene.send(source.endpoint, { count, from: 1 });
  const events = await scene.eventsOf(source.id, Math.min(count, 100));
  return { source, ids: events.map(({ id }) => id).reverse() };
}

const compare = (left: string, right: string) => {
  const [a = 0, b = 0] = left.split('-').map(Number);
  const [c = 0, d = 0] = right.split('-').map(Number);
  return a - c || b - d;
};

describe('the last 100', () => {
  test('are readable, newest first, and no other; default is 10; total_count counts what is readable', async () => {
    const { source } = await filled(60);
    await scene.send(source.endpoint, { count: 60, from: 61 });
    await until('the last is stored', async () => numbers(await scene.events(source.id))[0] === 120);
    expect(numbers(await scene.events(source.id))).toEqual(newestFirst(21, 120));
    const { body } = await scene.steady(() => scene.api.get(`/sources/${source.id}/event_summaries`));
    expect(numbers(body.data)).toEqual(newestFirst(111, 120));
    expect(body.page_info).toEqual({
      total_count: 100,
      count: 10,
      start_cursor: body.data[0].id,
      end_cursor: body.data[9].id,
    });
  });

  test('an event once out of view never comes back, also when younger ones are deleted', async () => {
    const { source, ids } = await filled(100);
    await scene.send(source.endpoint, { count: 20, from: 101 });
    await until('the last is stored', async () => numbers(await scene.events(source.id))[0] === 120);
    await scene.api.delete(`/sources/${source.id}/events`, { start_id: ids[50] ?? '' });
    const left = await until('they are deleted', async () => {
      const events = await scene.events(source.id);
      return events.length <= 30 && events;
    });
    expect(numbers(left)).toEqual(newestFirst(21, 50));
  });

  test('each stream has its own', async () => {
    const source = await scene.source(MANY);
    await scene.send(source.endpoint, { count: 100, from: 1, stream: 'a' });
    await scene.send(source.endpoint, { count: 100, from: 1, stream: 'b' });
    await scene.send(source.endpoint, { count: 5, from: 1 });
    await scene.eventsOf(source.id, 5, { event_name: 'default' });
    expect(await scene.events(source.id, { event_name: 'a' })).toHaveLength(100);
    expect(await scene.events(source.id, { event_name: 'b' })).toHaveLength(100);
    expect(numbers(await scene.events(source.id, { event_name: '' }))).toEqual(newestFirst(1, 5));
  });
});

describe('pages', () => {
  test('a walk with after sees every event once, newest first, and ends with an empty page with null cursors', async () => {
    const { source } = await filled(100);
    const path = `/sources/${source.id}/event_summaries`;
    const seen: number[] = [];
    for (let after: string | null = ''; ;) {
      const query = { limit: 17, ...(after === '' ? {} : { after }) };
      const { body } = await scene.steady(() => scene.api.get(path, query));
      seen.push(...numbers(body.data));
      expect(body.page_info.total_count).toBe(100);
      if (body.data.length === 0) {
        expect(body.page_info).toMatchObject({ count: 0, start_cursor: null, end_cursor: null });
        break;
      }
      after = body.page_info.end_cursor as string;
      expect(after).toBe(body.data.at(-1).id);
    }
    expect(seen).toEqual(newestFirst(1, 100));
  });

  test('before gives the items nearest above the cursor, still newest first; any well-formed id is a position', async () => {
    const { source, ids } = await filled(30);
    const path = `/sources/${source.id}/event_summaries`;
    const page = async (query: Record<string, string | number>) =>
      numbers((await scene.steady(() => scene.api.get(path, query))).body.data);
    expect(await page({ limit: 5, before: ids[9] ?? '' })).toEqual(newestFirst(11, 15));
    expect(await page({ limit: 5, before: ids[29] ?? '' })).toEqual([]);
    expect(await page({ limit: 3, before: '1-0' })).toEqual([3, 2, 1]);
    expect(await page({ limit: 3, after: '999999999999999-0' })).toEqual([30, 29, 28]);
    expect(await page({ limit: 3, after: '1-0' })).toEqual([]);
    await scene.api.delete(`/sources/${source.id}/events`, { start_id: ids[9] ?? '', end_id: ids[9] ?? '' });
    await until('it is deleted', async () => !(await page({ limit: 100 })).includes(10));
    expect(await page({ limit: 2, after: ids[9] ?? '' })).toEqual([9, 8]);
    const both = await scene.api.get(path, { after: ids[1] ?? '', before: ids[0] ?? '' });
    expect(both.status).toBe(400);
  });

  test('lists of sources and webhooks are walked alike, and a cursor of one list is 400 on the other', async () => {
    for (let n = 0; n < 7; n += 1)
      await scene.api.post('/webhooks', undefined, {
        query: { url: `http://example.com/${n}`, name: `w${n}` },
      });
    await Promise.all(range(1, 7).map(() => scene.source(MANY)));
    let cursor = '';
    for (const list of ['/users/me/sources', '/users/me/webhooks']) {
      const whole = (await scene.api.get(list, { limit: 100 })).body;
      expect(whole.page_info.total_count).toBe(whole.data.length);
      const seen: string[] = [];
      for (let after = ''; ;) {
        const { body } = await scene.api.get(list, { limit: 3, ...(after === '' ? {} : { after }) });
        if (body.data.length === 0) {
          expect(body.page_info).toMatchObject({ count: 0, start_cursor: null, end_cursor: null });
          break;
        }
        seen.push(...body.data.map(({ id }: { id: string }) => id));
        after = body.page_info.end_cursor;
        if (cursor === '') cursor = after;
      }
      expect(seen).toEqual(whole.data.map(({ id }: { id: string }) => id));
      const { body } = await scene.api.get(list, {
        limit: 2,
        after: (await scene.api.get(list, { limit: 3 })).body.page_info.end_cursor,
      });
      const back = (await scene.api.get(list, { limit: 2, before: body.page_info.start_cursor })).body;
      expect(back.data.map(({ id }: { id: string }) => id)).toEqual(seen.slice(1, 3));
    }
    expect((await scene.api.get('/users/me/webhooks', { after: cursor })).status).toBe(400);
    expect((await scene.api.get('/users/me/sources', { after: `${cursor}x` })).status).toBe(400);
  });
});

describe('event data', () => {
  test('up to 1,024 bytes is given whole; above, a valid smaller rendering with the same top-level keys first', async () => {
    const exact = { text: 'ü'.repeat((1_024 - JSON.stringify({ text: '' }).length) / 2) };
    const padded = {
      ...exact,
      text: exact.text + (Buffer.byteLength(JSON.stringify(exact)) < 1_024 ? 'a' : ''),
    };
    expect(Buffer.byteLength(JSON.stringify(padded))).toBe(1_024);
    const above = { text: `${padded.text}a` };
    const large = {
      first: 1,
      text: '\u{1F600}'.repeat(2_000),
      list: range(1, 3_000),
      deep: { a: { b: { c: { d: 'x'.repeat(900) } } } },
      last: true,
    };
    const source = await scene.source(MANY);
    await scene.send(source.endpoint, { events: [padded, above, large] });
    const [shownLarge, shownAbove, shownExact] = await scene.eventsOf(source.id, 3);
    expect(shownExact?.event).toEqual(padded);
    expect(shownExact?.metadata).not.toHaveProperty('truncated');
    for (const shown of [shownAbove, shownLarge]) {
      expect(Buffer.byteLength(JSON.stringify(shown?.event))).toBeLessThanOrEqual(1_024);
      expect(shown?.metadata).toHaveProperty('truncated', true);
      expect(JSON.stringify(shown?.event)).not.toMatch(/\\ud[89a-f]/i);
    }
    expect(Object.keys(shownLarge?.event)).toEqual(Object.keys(large));
    const [whole, ,] = await scene.events(source.id, { expand: 'event' });
    expect(whole?.event).toEqual(large);
    expect(whole?.metadata).not.toHaveProperty('truncated');
    expect((await scene.api.get(`/sources/${source.id}/event_summaries`, { expand: 'all' })).status).toBe(400);
  });

  test('up to 1 MiB is stored, expanded and delivered whole', async () => {
    const source = await scene.source(`export default { name: 'L', version: '1', props: { http: '$.interface.http' },
      run({ body }) { this.$emit({ text: 'x'.repeat(body.length - 11) }); } };`);
    const hook = await scene.webhook();
    await scene.subscribe(source.id, hook.id);
    for (const length of [250_000, 1_048_576]) {
      await scene.send(source.endpoint, { length });
      await until('it arrives whole', () => hook.receiver.received.some(({ body }) => body.length === length));
    }
    const [event] = await scene.eventsOf(source.id, 2, { expand: 'event' });
    expect(JSON.stringify(event?.event)).toHaveLength(1_048_576);
    await scene.send(source.endpoint, { length: 1_048_577 });
    const [error] = await scene.errorsOf(source.id);
    expect(error?.event.error.code).toBe('event_too_large');
  });

  test('key order, unicode and keys such as __proto__ come back as sent; other values than objects are wrapped as raw_event', async () => {
    const source = await scene.source(MANY);
    const text = '{"b":1,"a":{"__proto__":{"x":1},"constructor":"c"},"ключ":"\u2028","10":1,"9":2}';
    await fetch(source.endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"events":[${text},7,null,"s",[1],true]}`,
    });
    await scene.eventsOf(source.id, 6);
    const response = await scene.steady(() =>
      scene.api.get(`/sources/${source.id}/event_summaries`, { expand: 'event' }),
    );
    expect(response.text).toContain('"__proto__":{"x":1},"constructor":"c"');
    expect(response.body.data.slice(0, 5).map(({ event }: Summary) => event)).toEqual(
      [true, [1], 's', null, 7].map((value) => ({ raw_event: value })),
    );
  });
});

describe('deletion', () => {
  const delete_ = (id: string, query: Record<string, string>) => scene.api.delete(`/sources/${id}/events`, query);
  const left = (id: string, expected: number[]) =>
    until(`${expected.length} are left`, async () => {
      const seen = numbers(await scene.events(id));
      return seen.length <= expected.length && seen;
    });

  test('rule 1: with neither id, all events of the source, on all its streams; later events stay', async () => {
    const { source } = await filled(10);
    await scene.send(source.endpoint, { count: 3, stream: 'other' });
    await scene.eventsOf(source.id, 3, { event_name: 'other' });
    const { status, body } = await delete_(source.id, {});
    expect([status, body]).toEqual([202, { data: {} }]);
    await scene.send(source.endpoint, { count: 2, from: 11 });
    await until(
      'only the later ones are there',
      async () => JSON.stringify(numbers(await scene.events(source.id))) === '[12,11]',
    );
    expect(await scene.events(source.id, { event_name: 'other' })).toEqual([]);
  });

  test('with event_name, that stream alone', async () => {
    const { source } = await filled(4);
    await scene.send(source.endpoint, { count: 3, stream: 'other' });
    await scene.eventsOf(source.id, 3, { event_name: 'other' });
    await delete_(source.id, { event_name: 'other' });
    await until('they are deleted', async () => (await scene.events(source.id, { event_name: 'other' })).length === 0);
    expect(await scene.events(source.id)).toHaveLength(4);
  });

  test('rule 2: with only start_id, that event and every later one', async () => {
    const { source, ids } = await filled(10);
    await delete_(source.id, { start_id: ids[6] ?? '' });
    expect(await left(source.id, range(1, 6))).toEqual(newestFirst(1, 6));
  });

  test('rule 3: with only end_id, that event and every earlier one', async () => {
    const { source, ids } = await filled(10);
    await delete_(source.id, { end_id: ids[6] ?? '' });
    expect(await left(source.id, range(8, 10))).toEqual(newestFirst(8, 10));
  });

  test('rule 4: with both, the range with both its ends, also when the ids are gone', async () => {
    const { source, ids } = await filled(10);
    await delete_(source.id, { start_id: ids[2] ?? '', end_id: ids[4] ?? '' });
    expect(await left(source.id, range(1, 7))).toEqual([10, 9, 8, 7, 6, 2, 1]);
    await delete_(source.id, { start_id: ids[3] ?? '', end_id: ids[5] ?? '' });
    expect(await left(source.id, range(1, 6))).toEqual([10, 9, 8, 7, 2, 1]);
  });

  test('rule 5: the same id in both, exactly that event', async () => {
    const { source, ids } = await filled(10);
    await delete_(source.id, { start_id: ids[4] ?? '', end_id: ids[4] ?? '' });
    expect(await left(source.id, range(1, 9))).toEqual([10, 9, 8, 7, 6, 4, 3, 2, 1]);
  });

  test('start_id later than end_id, and what is no event id, are 400', async () => {
    const { source, ids } = await filled(3);
    for (const query of [
      { start_id: ids[2] ?? '', end_id: ids[0] ?? '' },
      { start_id: 'abc' },
      { end_id: '1' },
      { end_id: '1-' },
      { start_id: '-1-0' },
    ])
      expect((await delete_(source.id, query)).status, JSON.stringify(query)).toBe(400);
    expect(await scene.events(source.id)).toHaveLength(3);
  });
});

test('ids of a stream increase strictly, also over restarts and a clock that steps back', async () => {
  const source = await scene.source(MANY);
  let count = 0;
  for (const step of [
    () => undefined,
    () => scene.cloud.restart(),
    () => (clock.aheadMs -= HOUR),
    () => scene.cloud.restart(),
    () => (clock.aheadMs -= HOUR),
  ]) {
    await step();
    await Promise.all([1, 2].map(() => scene.send(source.endpoint, { count: 3 })));
    count += 6;
    await scene.eventsOf(source.id, count);
    // A message that is not acknowledged yet would wait for its timeout by a clock that then stands an hour earlier.
    await until('the triggers are acknowledged', scene.isThrough);
  }
  const ids = (await scene.events(source.id)).map(({ id }) => id).reverse();
  expect(ids).toHaveLength(30);
  expect(new Set(ids).size).toBe(30);
  expect([...ids].sort(compare)).toEqual(ids);
});
