import { expect, test, vi } from 'vitest';
import { EventFilter } from '../../../../../shared/domain/event/event-pattern/event-filter.ts';
import { eventId } from '../../../../../shared/domain/event/event-id.ts';
import { SourceId } from '../../../../../shared/domain/id.ts';
import { LiveBatch, liveView } from '../../../../../shared/service/live/live-batch.ts';

test('an event is parsed once, however many filters its readers have', () => {
  const json = '{"n":1,"text":"parsed once"}';
  const event = {
    ...{ stream: 'default', id: eventId({ ms: 1, sequence: 1 }), emitId: 'e', json },
    ...{ truncated: false, body: undefined, bytes: 0, indexedAt: 1 },
  };
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
