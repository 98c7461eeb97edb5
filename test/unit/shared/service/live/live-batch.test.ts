import { expect, test, vi } from 'vitest';
import { EventFilter } from '../../../../../shared/domain/event/event-pattern/event-filter.ts';
import { eventId } from '../../../../../shared/domain/event/event-id.ts';
import type { StreamName } from '../../../../../shared/domain/event/stream.ts';
import { SourceId } from '../../../../../shared/domain/id.ts';
import { LiveBatch, liveView } from '../../../../../shared/service/live/live-batch.ts';
import type { StoredEvent } from '../../../../../shared/store/events/event-item.ts';

const eventOf = (sequence: number, json: string): StoredEvent => ({
  ...{ stream: 'default' as StreamName, id: eventId({ ms: 1, sequence }), emitId: 'e', json },
  ...{ truncated: false, body: undefined, bytes: 0, indexedAt: 1 },
});

test('a client that has the first event of a batch gets no notice of the gap before it', () => {
  const events = [1, 2].map((sequence) => eventOf(sequence, '{}'));
  const batch = new LiveBatch(SourceId.parse('dc_aaaaaa'), events, { show: () => ({}), hasGap: true });
  const all = liveView(undefined, { include: [], exclude: [] });
  const gapsFor = (...known: readonly number[]) => {
    const ids = known.map((n) => events[n - 1]?.id);
    const fresh = batch.without((id) => ids.includes(id));
    return fresh.textFor(all).toString().split('event: gap').length - 1;
  };

  expect([gapsFor(), gapsFor(1, 2), gapsFor(1), gapsFor(2)]).toEqual([1, 0, 0, 1]);
});

test('an event is parsed once, however many filters its readers have', () => {
  const json = '{"n":1,"text":"parsed once"}';
  const event = eventOf(1, json);
  const batch = new LiveBatch(SourceId.parse('dc_aaaaaa'), [event], { show: ({ length }) => ({ length }) });
  const parse = vi.spyOn(JSON, 'parse');
  try {
    const texts = Array.from({ length: 20 }, (_, n) =>
      batch.textFor(liveView(EventFilter.parse(`{"n":[${n}]}`), { include: [], exclude: [] })),
    );
    expect(texts.filter(({ length }) => length > 0)).toHaveLength(1);
    expect(parse.mock.calls.filter(([text]) => text === json)).toHaveLength(1);
  } finally {
    parse.mockRestore();
  }
});
