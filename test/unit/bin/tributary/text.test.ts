import { describe, expect, test } from 'vitest';
import { closest } from '../../../../bin/tributary/input/closest.ts';
import { selectorOf } from '../../../../bin/tributary/input/component-selector.ts';
import { rawElements, rawMembers } from '../../../../shared/lib/raw-json.ts';
import { apiBase, isThisMachine } from '../../../../bin/tributary/session/service-address.ts';
import { fitted } from '../../../../bin/tributary/output/text-table.ts';
import { readSince } from '../../../../bin/tributary/output/times.ts';

describe('a table', () => {
  const rows = [
    ['ID', 'NAME', 'TEXT'],
    ['dc_1', 'a name that is rather long', 'a text that is much longer than its neighbours'],
  ];

  test.each([20, 40, 60, 100])('fits %i columns, and its ids stay whole', (width) => {
    for (const line of fitted(rows, width)) expect(line.length).toBeLessThanOrEqual(width);
    expect(fitted(rows, width)[1]).toMatch(/^dc_1 /);
  });

  test('counts wide characters twice', () => {
    expect(
      fitted(
        [
          ['ID', 'NAME'],
          ['x', '日本語日本語日本語'],
        ],
        14,
      )[1],
    ).toBe('x   日本語日…');
  });
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
    expect([...here, 'https://localhost.example.com/v1'].map(isThisMachine)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

test('parts of JSON come back as they were sent', () => {
  const json =
    '{"data":[{"event": {"z":1.0,"a":"x,}\\"]","__proto__":{"b":[1,{}]}} , "n":1},\n"two"],"end":[]}';
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
