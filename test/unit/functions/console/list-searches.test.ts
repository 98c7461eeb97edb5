import { describe, expect, test } from 'vitest';
import { foundChoices } from '../../../../functions/console/app/choosing/found-choices.ts';
import { matchesText } from '../../../../functions/console/app/choosing/matches-text.ts';
import { changeOf, relativeTime } from '../../../../functions/console/app/components/times/relative-time.ts';
import {
  isInRange,
  localText,
  rangeOf,
  timeOf,
} from '../../../../functions/console/app/components/times/time-range.ts';
import { searchedEvents } from '../../../../functions/console/app/events/searched-events.ts';
import { EventId } from '../../../../shared/domain/event/event-id.ts';
import { EmitterId } from '../../../../shared/domain/id.ts';

const NOW = Date.parse('2026-03-04T12:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test.each([
  [0, 'now', 5_000],
  [4_999, 'now', 5_000],
  [5_000, '5 s ago', 5_000],
  [59_000, '55 s ago', 1_000],
  [MINUTE, '1 min ago', MINUTE],
  [4 * MINUTE + 10_000, '4 min ago', 50_000],
  [HOUR - 1, '59 min ago', 1],
  [26 * HOUR, '1 d ago', 22 * HOUR],
  [-10 * MINUTE - 1_000, 'in 10 min', 1_000],
  [-3_000, 'now', 5_000],
])('a time %i ms ago is told as %s, for %i ms', (ago, text, changesInMs) => {
  expect(relativeTime(NOW - ago, NOW)).toEqual({ text, changesInMs });
});

test('the times of a list change their texts together, at most 5 s late', () => {
  for (let ms = 0; ms < MINUTE; ms += 777) {
    const changeMs = NOW + 321 + changeOf(ms, NOW + 321);
    expect(changeMs % 5_000).toBe(0);
    expect(changeMs - NOW - 321 - ms).toBeGreaterThanOrEqual(0);
    expect(changeMs - NOW - 321 - ms).toBeLessThan(5_000);
  }
});

describe('a search', () => {
  test('finds texts with each of its words, in any case', () => {
    expect(matchesText(['First Order', undefined, 'dc_1'], ' ORDER  dc_ ')).toBe(true);
    expect(matchesText(['First Order', null], 'order second')).toBe(false);
    expect(matchesText([], '  ')).toBe(true);
  });

  test('of events looks in line, data and ids; each keeps the event before it', () => {
    const event = (n: number, data: object, summary?: string) => ({
      id: EventId.parse(`${n * 1_000}-1`),
      indexed_at_ms: n,
      event: { ...data },
      metadata: {
        emit_id: `emit${n}`,
        name: '',
        emitter_id: EmitterId.parse('dc_000000000000000000000000'),
        ...(summary === undefined ? {} : { summary }),
      },
      json: JSON.stringify(data),
    });
    const events = [event(3, { who: 'Ada' }), event(2, { who: 'Grace' }, 'Second'), event(1, { who: 'Ada' })];
    const found = (search: string, range = {}) =>
      searchedEvents(events, { search, range, stream: '' }).map(({ event: { id }, previous }) => [id, previous?.id]);
    expect(found('ada')).toEqual([
      ['3000-1', '2000-1'],
      ['1000-1', undefined],
    ]);
    expect(found('second')).toEqual([['2000-1', '1000-1']]);
    expect(found('emit2')).toEqual([['2000-1', '1000-1']]);
    expect(found('1000-1')).toEqual([['1000-1', undefined]]);
    expect(found('', { sinceMs: 2_000, untilMs: 3_000 })).toEqual([['2000-1', '1000-1']]);
  });

  test('of choices leaves out empty groups, and counts those beyond the first 50', () => {
    const many = Array.from({ length: 358 }, (_, n) => ({ id: `dc_${n}`, name: `Source ${n}` }));
    const { groups, hidden } = foundChoices(
      [
        ['Webhooks', [{ id: 'wh_1', name: 'Billing' }]],
        ['Sources', many],
      ],
      'source',
    );
    expect([groups.length, groups[0]?.[0], groups[0]?.[1].length, hidden]).toEqual([1, 'Sources', 50, 308]);
    const short = foundChoices(
      [
        ['Sources', many],
        ['Webhooks', [{ id: 'wh_1', name: 'Source' }]],
      ],
      'source',
      8,
    );
    expect([short.groups.map(([, { length }]) => length), short.hidden]).toEqual([[8, 1], 350]);
    expect(foundChoices([['Sources', many]], 'dc_357')).toEqual({
      groups: [['Sources', [{ id: 'dc_357', name: 'Source 357' }]]],
      hidden: 0,
    });
  });

  test('of choices begins with the names that are most like the text', () => {
    const names = ['Branch 9835', 'A branch 12', 'branch 120', 'Branch 12'];
    const choices = names.map((name, n) => ({ id: `dc_${n}12`, name }));
    const { groups } = foundChoices([['Sources', choices]], ' Branch 12');
    expect(groups[0]?.[1].map(({ name }) => name)).toEqual(['Branch 12', 'branch 120', 'A branch 12', 'Branch 9835']);
  });
});

describe('times of a list', () => {
  const none = { time: '', since: '', until: '' };

  test('are a period that ends now, or two bounds, which count more', () => {
    expect(rangeOf(none, NOW)).toEqual({});
    expect(rangeOf({ ...none, time: '15m' }, NOW)).toEqual({ sinceMs: NOW - 15 * MINUTE });
    expect(rangeOf({ time: '15m', since: '2026-03-04T00:00:00Z', until: '' }, NOW)).toEqual({
      sinceMs: NOW - 12 * HOUR,
    });
    expect(rangeOf({ ...none, since: '5', until: 'never' }, NOW)).toEqual({ sinceMs: 5 });
    expect(rangeOf({ ...none, time: 'toString' }, NOW)).toEqual({});
  });

  test('include the first bound and not the second', () => {
    const range = { sinceMs: 10, untilMs: 20 };
    expect([9, 10, 19, 20].map((ms) => isInRange(ms, range))).toEqual([false, true, true, false]);
    expect(isInRange(5, {})).toBe(true);
  });

  test('go into the box of the browser and back, to the minute', () => {
    expect(timeOf(localText(NOW))).toBe(NOW);
    expect([timeOf(''), timeOf('soon'), timeOf('9'.repeat(30))]).toEqual([undefined, undefined, undefined]);
  });
});
