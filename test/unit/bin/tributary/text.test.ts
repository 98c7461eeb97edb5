import { describe, expect, test } from 'vitest';
import { closest } from '../../../../bin/tributary/input/closest.ts';
import { selectorOf } from '../../../../bin/tributary/input/component-selector.ts';
import { rawElements, rawMembers } from '../../../../shared/lib/raw-json.ts';
import { apiBase, isThisMachine } from '../../../../bin/tributary/session/service-address.ts';
import { cellsOf, type Column, fitted } from '../../../../bin/tributary/output/text-table.ts';
import { localDateTime, readSince, shortTime } from '../../../../bin/tributary/output/times.ts';

describe('a table', () => {
  interface Row {
    id: string;
    name: string;
    at: number;
    event: string;
  }
  const item: Row = {
    id: 'dc_1',
    name: 'a name that is rather long',
    at: Date.parse('2026-11-22T16:52:04'),
    event: '1763830000000-0',
  };
  const columns: readonly Column<Row>[] = [
    { heading: 'ID', of: ({ id }) => id },
    { heading: 'NAME', of: ({ name }) => name },
    { heading: 'TIME', at: ({ at }) => at },
    { heading: 'EVENT', isWhole: true, drop: 1, of: ({ event }) => event },
  ];
  const lines = (width: number) => fitted(columns, cellsOf([item], columns, localDateTime), width);

  test.each([20, 40, 60, 100])('fits %i columns, and its ids and times are whole or absent', (width) => {
    const [heading = '', row = ''] = lines(width);
    expect(Math.max(heading.length, row.length)).toBeLessThanOrEqual(width);
    expect(row).toMatch(/^dc_1 /);
    expect(row.includes('2026-11-22 16:52:04')).toBe(heading.includes('TIME'));
    expect(row.includes('1763830000000-0')).toBe(heading.includes('EVENT'));
  });

  test.each([
    [10, ['ID']],
    [14, ['ID', 'NAME']],
    [40, ['ID', 'NAME', 'TIME']],
    [60, ['ID', 'NAME', 'TIME', 'EVENT']],
  ])('%i columns drop the ones that are numbered, then the last ones', (width, headings) => {
    expect(lines(width)[0]?.split(/ +/)).toEqual(headings);
  });

  test('counts wide characters twice', () => {
    const short: readonly Column<string>[] = [
      { heading: 'ID', of: () => 'x' },
      { heading: 'NAME', of: (name) => name },
    ];
    const rows = cellsOf(['日本語日本語日本語'], short, localDateTime);
    expect(fitted(short, rows, 14)[1]).toBe('x   日本語日…');
  });
});

test('a time of today has no date', () => {
  const now = Date.parse('2026-11-22T23:59:59');
  expect(shortTime(Date.parse('2026-11-22T00:00:00'), now)).toBe('00:00:00');
  expect(shortTime(Date.parse('2026-11-21T23:59:59'), now)).toBe('2026-11-21 23:59:59');
});

test.each([
  ['ordres', 'orders'],
  ['tset', 'test'],
  ['Orders', 'orders'],
  ['something-else', undefined],
])('%s is close to %s', (typed, meant) => {
  expect(closest(typed, ['orders', 'test', 'archive'])).toBe(meant);
});

test.each([
  ['https://example.com/a.mjs', 'address'],
  ['sc_1a2b', 'id'],
  ['component.mjs', 'file'],
  ['./component', 'file'],
  ['here', 'file'],
  ['new-orders', 'key'],
])('%s is an %s to create from', (text, kind) => {
  expect(selectorOf(text, (path) => path === 'here').kind).toBe(kind);
});

describe('addresses', () => {
  test.each([
    'http://localhost:3000',
    'http://localhost:3000/',
    'http://localhost:3000/v1',
    'http://localhost:3000/v1/',
  ])('%s is taken', (text) => {
    expect(apiBase(text, '--url')).toBe('http://localhost:3000/v1');
  });

  test.each(['localhost:3000', 'ftp://x', 'http://user:pw@x/', 'http://x/?a', 'https:///v1'])(
    '%s is refused',
    (text) => {
      expect(() => apiBase(text, '--url')).toThrow('--url');
    },
  );

  test('this machine is known by its names', () => {
    const here = ['http://localhost/v1', 'http://127.0.0.1:1/v1', 'http://[::1]:1/v1'];
    expect([...here, 'https://localhost.example.com/v1'].map(isThisMachine)).toEqual([true, true, true, false]);
  });
});

test('parts of JSON come back as they were sent', () => {
  const json = '{"data":[{"event": {"z":1.0,"a":"x,}\\"]","__proto__":{"b":[1,{}]}} , "n":1},\n"two"],"end":[]}';
  const [first = '', second] = rawElements(rawMembers(json).get('data') ?? '');
  expect(second).toBe('"two"');
  expect(rawMembers(first).get('event')).toBe('{"z":1.0,"a":"x,}\\"]","__proto__":{"b":[1,{}]}}');
  expect(rawElements('[]')).toEqual([]);
});

test('--since takes a duration or an ISO time, UTC without a zone', () => {
  const now = Date.parse('2026-11-22T12:00:00Z');
  expect(readSince('2h', now)).toBe(now - 7_200_000);
  for (const text of ['2026-11-22T10:00:00Z', '2026-11-22T10:00:00', '2026-11-22T11:00:00+01:00'])
    expect(readSince(text, now)).toBe(Date.parse('2026-11-22T10:00:00Z'));
  expect(readSince('yesterday', now)).toBeUndefined();
});
