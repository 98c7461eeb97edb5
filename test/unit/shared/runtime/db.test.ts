import { describe, expect, test } from 'vitest';
import { Database } from '../../../../shared/runtime/db.ts';

describe('$.service.db', () => {
  test('keeps what it held when a value does not fit, and goes on', () => {
    const db = new Database('{"a":1}', 40);

    expect(() => db.set('a', 'x'.repeat(40))).toThrow('at most 40 bytes');
    expect(() => db.set('b', 'x'.repeat(40))).toThrow('at most 40 bytes');
    expect([db.get('a'), db.get('b'), db.text]).toEqual([1, undefined, '{"a":1}']);
    db.set('b', 2);
    expect(db.text).toBe('{"a":1,"b":2}');
  });

  test('counts bytes, all keys and values together', () => {
    const db = new Database('{}', 16);
    db.set('k', 'äöüä');

    expect(Buffer.byteLength(db.text)).toBe(16);
    expect(() => db.set('k', 'äöüäa')).toThrow('bytes');
  });

  test('says whether a set changed anything', () => {
    const db = new Database('{"a":{"b":1}}', 1000);

    expect([db.set('a', { b: 1 }), db.set('a', { b: 2 }), db.set('c', undefined)]).toEqual([false, true, false]);
    expect(db.set('a', undefined)).toBe(true);
    expect(db.text).toBe('{}');
  });

  test('holds every key as it is, also __proto__ and numbers', () => {
    const db = new Database('{"__proto__":1}', 1000);
    db.set(7, null);

    expect([db.get('__proto__'), db.get('7'), db.get('constructor')]).toEqual([1, null, undefined]);
    expect(db.text).toBe('{"__proto__":1,"7":null}');
  });

  test('is the plain JSON of a value: dates are text, undefined members go', () => {
    const db = new Database('{}', 1000);
    db.set('v', { at: new Date(0), gone: undefined, n: NaN });

    expect(db.get('v')).toEqual({ at: '1970-01-01T00:00:00.000Z', n: null });
  });
});
