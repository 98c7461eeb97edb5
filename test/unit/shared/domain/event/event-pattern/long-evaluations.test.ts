import { describe, expect, test, vi } from 'vitest';
import { compilePattern } from '../../../../../../shared/domain/event/event-pattern/compile-pattern.ts';
import { createMatchers, EventFilter } from '../../../../../../shared/domain/event/event-pattern/event-filter.ts';
import { eventId } from '../../../../../../shared/domain/event/event-id.ts';
import { SourceId, WebhookId } from '../../../../../../shared/domain/id.ts';
import type { DeliveryMessage } from '../../../../../../shared/domain/run/message.ts';
import { WorkSteps } from '../../../../../../shared/lib/reading/work-steps.ts';
import { acceptance } from '../../../../../../shared/service/fan-out/matched-events.ts';
import { LiveBatch, liveView } from '../../../../../../shared/service/live/live-batch.ts';

/** A pattern of 4 KB took up to 23 s for an event of 1 MiB, and the thread did nothing else meanwhile. */

const MAX_TESTS_PER_STEP = 10_500;

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const nested = (depth: number): object => {
  let pattern: object = { a: [1] };
  for (let n = 1; n < depth; n += 1) pattern = { a: pattern };
  return pattern;
};

/** The outcome, and the number of members that each step looked at. */
function evaluated(pattern: unknown, event: unknown) {
  const compiled = compilePattern(pattern, 'filter');
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.details));
  const looks = vi.spyOn(Object, 'hasOwn');
  try {
    const outcome = compiled.matches(event);
    if (typeof outcome === 'boolean') return { outcome, steps: [looks.mock.calls.length] };
    const steps: number[] = [];
    for (;;) {
      looks.mockClear();
      const { done, value } = outcome.next();
      steps.push(looks.mock.calls.length);
      if (done === true) return { outcome: value, steps };
    }
  } finally {
    looks.mockRestore();
  }
}

describe('a step makes a bounded number of tests', () => {
  test.each([
    ['alternatives of fields', { o: { $or: numbers(260).map((n) => ({ [`x${n}`]: [1] })) } }],
    [
      'many fields',
      {
        o: {
          $or: [
            { y: [1] },
            {
              x: [{ exists: false }],
              ...Object.fromEntries(numbers(250).map((n) => [`x${n}`, [{ exists: false }]])),
              z: [1],
            },
          ],
        },
      },
    ],
  ])('in an array of objects, of %s', (_, pattern) => {
    const { outcome, steps } = evaluated(pattern, { o: [Array.from({ length: 3_000 }, () => ({}))] });
    expect(outcome).toBe(false);
    expect(Math.max(...steps)).toBeLessThanOrEqual(MAX_TESTS_PER_STEP);
  });

  test('a path of missing fields takes one look for each object', () => {
    const { steps } = evaluated({ o: nested(500) }, { o: Array.from({ length: 3_000 }, () => ({})) });
    expect(steps.reduce((sum, looks) => sum + looks, 0)).toBeLessThan(3_010);
  });

  test.each([
    ['numeric', numbers(100).map((n) => ({ numeric: ['>', n + 9] })), 1],
    ['prefix', numbers(100).map((n) => ({ prefix: `b${n}` })), ''],
    ['cidr', numbers(100).map((n) => ({ cidr: `10.0.${n}.0/24` })), '1.1.1.1'],
  ])('in an array of scalars, of %s', (_, alternatives, scalar) => {
    const { outcome, steps } = evaluated({ t: alternatives }, { t: Array.from({ length: 20_000 }, () => scalar) });
    expect(outcome).toBe(false);
    expect(steps.length).toBeGreaterThanOrEqual((20_000 * 100) / MAX_TESTS_PER_STEP);
  });

  test.each([
    ['a field', (text: string) => text],
    ['an array', (text: string) => ['short', text]],
    ['an array of arrays', (text: string) => [[[text]]]],
  ])('in a text of 100 KB, of one wildcard, in %s', (_, valueOf) => {
    const wildcards = numbers(150).map((n) => ({ wildcard: `*aaaa${n}*` }));
    const { outcome, steps } = evaluated({ t: wildcards }, { t: valueOf('a'.repeat(100_000)) });
    expect(outcome).toBe(false);
    expect(steps.length).toBeGreaterThanOrEqual(150);
  });
});

test('a small event needs no steps', () => {
  expect(evaluated({ t: [{ wildcard: 'a*c' }], o: { x: [1] } }, { t: 'abc', o: { x: 1 } })).toEqual({
    outcome: true,
    steps: [expect.any(Number)],
  });
});

const COSTLY = EventFilter.parse(JSON.stringify({ o: { $or: numbers(200).map((n) => ({ [`x${n}`]: [1] })) } }));
const LARGE = JSON.stringify({ o: Array.from({ length: 10_000 }, () => ({})) });

test('events of others pass their filters while a costly one is evaluated', async () => {
  const services = {
    bucket: { getText: async () => undefined },
    matcherOf: createMatchers(),
    workSteps: new WorkSteps(),
  };
  const messageOf = (json: string) => ({
    emitterId: SourceId.parse('dc_a'),
    stream: 'default',
    payload: { json },
  });
  const ended: string[] = [];
  const accept = async (name: string, json: string, filter: EventFilter) => {
    const listener = WebhookId.parse('wh_a');
    const message = messageOf(json) as unknown as DeliveryMessage;
    const accepts = await acceptance(services, [message], new Map([[listener, [filter]]]));
    ended.push(`${name} ${accepts(message, listener)}`);
  };
  await Promise.all([
    accept('costly', LARGE, COSTLY),
    accept('small', '{"n":1}', EventFilter.parse('{"n":[1]}')),
    accept('other', '{"n":1}', EventFilter.parse('{"n":[2]}')),
  ]);
  expect(ended).toEqual(['small true', 'other false', 'costly false']);
});

test('events of live streams are filtered in steps, and only once for all readers of a filter', () => {
  const event = {
    ...{ stream: 'default', id: eventId({ ms: 1, sequence: 1 }), emitId: 'e', json: LARGE },
    ...{ truncated: false, body: undefined, bytes: 0, indexedAt: 1 },
  };
  const view = liveView(COSTLY, { include: [], exclude: [] });
  const batch = new LiveBatch(SourceId.parse('dc_aaaaaa'), [event], { show: () => ({}) });
  expect([...batch.evaluate(view)].length).toBeGreaterThan(100);
  expect([...batch.evaluate(view)]).toEqual([]);
  expect(batch.textFor(view)).toHaveLength(0);
});
