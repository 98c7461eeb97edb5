import { expect, test } from 'vitest';
import { eventTexts } from '../../../../../bin/tributary/events/event-texts.ts';
import { unknownName } from '../../../../../bin/tributary/failures.ts';
import type { Api } from '../../../../../bin/tributary/session/api.ts';
import { Delivery } from '../../../../../bin/tributary/session/response-schemas.ts';

const deliveryOf = (emitter: string | null, event: string | null, stream = ''): Delivery =>
  Delivery.parse({
    id: 'dl_1',
    status: 'failed',
    attempts: 1,
    created_at_ms: 0,
    emitter_id: emitter,
    event_id: event,
    event_name: stream,
  });

test('each stream of deliveries is read once; an event that is gone has no text', async () => {
  const asked: string[] = [];
  const list: Api['list'] = (path, schema, { query = {} } = {}) => {
    asked.push(`${path} ${query['event_name'] ?? ''}`);
    if (path.includes('dc_gone')) return Promise.reject(unknownName('There is no source dc_gone.'));
    const event = {
      id: '7-0',
      indexed_at_ms: 7,
      event: { n: 4 },
      metadata: { emit_id: 'e', name: '', emitter_id: 'dc_1' },
    };
    return Promise.resolve([schema.parse(event)]) as never;
  };
  const deliveries = [
    deliveryOf('dc_1', '7-0'),
    deliveryOf('dc_1', '6-0'),
    deliveryOf('dc_1', '7-0', 'paid'),
    deliveryOf('dc_gone', '7-0'),
    deliveryOf(null, null),
  ];
  const textOf = await eventTexts({ list }, deliveries);
  expect(deliveries.map(textOf)).toEqual(['{"n":4}', '', '{"n":4}', '', '']);
  expect(asked.sort()).toEqual([
    '/sources/dc_1/event_summaries ',
    '/sources/dc_1/event_summaries paid',
    '/sources/dc_gone/event_summaries ',
  ]);
});
