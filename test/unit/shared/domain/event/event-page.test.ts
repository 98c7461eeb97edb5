import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EventId, eventId } from '../../../../../shared/domain/event/event-id.ts';
import { eventPage } from '../../../../../shared/domain/event/event-page.ts';

const stream = Array.from({ length: 20 }, (_, n) => ({
  id: eventId({ ms: 1_000 + Math.floor(n / 3), sequence: n % 3 }),
})).reverse();
const ids = (events: { id: EventId }[]) => events.map(({ id }) => id);

test('walking down and walking up both see every event once, in pages of any size', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 25 }), (limit) => {
      const down: EventId[] = [];
      for (let page = eventPage(stream, { limit }); page.length > 0;) {
        down.push(...ids(page));
        page = eventPage(stream, { limit, after: down.at(-1) });
      }
      expect(down).toEqual(ids(stream));
      const up: EventId[] = [];
      for (let page = eventPage(stream, { limit, before: EventId.parse('1-0') }); page.length > 0;) {
        up.unshift(...ids(page));
        page = eventPage(stream, { limit, before: up[0] });
      }
      expect(up).toEqual(ids(stream));
    }),
    { seed: 1 },
  );
});
