import { describe, expect, test } from 'vitest';
import { emitter, metaOf, milliseconds } from '../../../../shared/runtime/emit.ts';
import type { RunnerLine } from '../../../../shared/domain/run/run.ts';
import { defaultLimits } from '../../../../shared/domain/run-limits.ts';

const redactor = { inValue: (value: unknown) => value, inJson: (json: string) => json };

function emitting(limits = defaultLimits) {
  const lines: RunnerLine[] = [];
  const emit = emitter({ job: 'j', limits, write: (line) => lines.push(line), redactor });
  return { emit, lines };
}

describe('the second argument of $emit', () => {
  test.each([
    [1_700_000_000, 1_700_000_000_000],
    [1_700_000_000_000, 1_700_000_000_000],
    ['2023-11-14T22:13:20Z', 1_700_000_000_000],
    ['1700000000', 1_700_000_000_000],
    [new Date(1_700_000_000_000), 1_700_000_000_000],
    ['yesterday', undefined],
    [NaN, undefined],
    [1e17, undefined],
    [null, undefined],
    ['', undefined],
  ])('may have a ts of %s', (value, expected) => {
    expect(milliseconds(value)).toBe(expected);
  });

  test('keeps numbers and strings as ids, and makes text of everything else', () => {
    expect([1, '1', 0, '', 10n, NaN, { a: 1 }].map((id) => metaOf({ id }).id)).toEqual([
      1,
      '1',
      0,
      '',
      '10',
      'NaN',
      '{"a":1}',
    ]);
    expect(metaOf({ id: null })).toEqual({});
    expect(metaOf('nonsense')).toEqual({});
  });

  test('an empty name is the default stream', () => {
    expect(metaOf({ name: '' })).toEqual({});
    expect(metaOf({ name: null })).toEqual({});
    expect(metaOf({ name: 'orders' })).toEqual({ name: 'orders' });
  });

  test('delivery_ts is kept as a time', () => {
    expect(metaOf({ delivery_ts: 1_700_000_000 })).toEqual({ deliveryTs: 1_700_000_000_000 });
  });
});

describe('emits of a run', () => {
  test('keep the order in which they were made', () => {
    const { emit, lines } = emitting();
    for (const n of [3, 1, 2]) emit({ n }, { ts: n });

    expect(lines.map((line) => (line.k === 'emit' ? line.json : line.k))).toEqual(['{"n":3}', '{"n":1}', '{"n":2}']);
  });

  test('have 16 MB together; after that one error', () => {
    const { emit, lines } = emitting();
    for (let n = 0; n < 40; n += 1) emit('x'.repeat(1024 * 1024 - 2));

    expect(lines.filter(({ k }) => k === 'emit')).toHaveLength(16);
    expect(lines.filter(({ k }) => k === 'error')).toHaveLength(1);
  });

  test('count in bytes, not in characters', () => {
    const { emit, lines } = emitting({ ...defaultLimits, eventBytes: 10 });
    emit('äöüß');
    emit('äöüßa');

    expect(lines.map(({ k }) => k)).toEqual(['emit', 'error']);
  });
});
