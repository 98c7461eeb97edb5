import type * as z from 'zod';
import { expect, test } from 'vitest';
import { oneSourceReader } from '../../../../../bin/tributary/events/one-source.ts';
import type { Query } from '../../../../../bin/tributary/session/api.ts';
import { refusedFailure } from '../../../../../bin/tributary/failures.ts';

const event = (id: string) => ({
  id,
  indexed_at_ms: 0,
  event: {},
  metadata: { emit_id: 'e', name: '', emitter_id: 'dc_a' },
});
const message = (id: string) => `id: ${id}\ndata: ${JSON.stringify(event(id))}\n\n`;
const start = (id: string) => `event: start\nid: ${id}\ndata: {}\n\n`;
const GAP = 'event: gap\ndata: {}\n\n';

/** A service that sends these live streams one after the other, or refuses them. */
function reader(streams: readonly (string | Error)[], page: string[] = []) {
  const asked: unknown[] = [];
  const api = {
    getText: async (_path: string, { query = {} }: { query?: Query | undefined } = {}) => {
      const stream = streams[asked.length] ?? '';
      asked.push(query['last_event_id']);
      if (stream instanceof Error) throw stream;
      return stream;
    },
    get: async <T extends z.ZodType>(_path: string, schema: T): Promise<z.output<T>> =>
      schema.parse(page.splice(0).map(event)),
    list: () => Promise.resolve([]),
  };
  const { next } = oneSourceReader(api, { emitterId: 'dc_a', whole: true });
  return { asked, next: () => next(new AbortController().signal) };
}

test('a follow goes on after the newest event, also when its filter lets none through', async () => {
  const { asked, next } = reader([start('7-0') + GAP, '']);
  expect(await next()).toMatchObject({ events: [], missed: 0 });
  await next();
  expect(asked).toEqual(['0-0', '7-0']);
});

test('an event below the newest one does not bring later ones back', async () => {
  const { asked, next } = reader([start('9-0') + message('9-0'), start('9-0') + message('8-4503599627370496'), '']);
  for (let n = 0; n < 3; n += 1) await next();
  expect(asked).toEqual(['0-0', '9-0', '9-0']);
});

test('a gap says how many events are missing before the first one', async () => {
  const { next } = reader([start('5-150') + GAP + message('5-150')]);
  expect(await next()).toMatchObject({ missed: 150, events: [{ id: '5-150' }] });
});

test('a gap between two events counts from the one before it', async () => {
  const { next } = reader([start('5-3') + message('5-3') + GAP + message('5-150') + message('5-151')]);
  expect(await next()).toMatchObject({ missed: 146 });
});

test('a follow reads the list while other clients take all live streams of the user', async () => {
  const { next } = reader([refusedFailure('No more.', 'too_many_live_streams')], ['3-0', '2-0']);
  expect((await next()).events.map(({ id }) => id)).toEqual(['2-0', '3-0']);
});
