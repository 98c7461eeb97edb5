import { describe, expect, test } from 'vitest';
import { emitNamer, shortHash } from '../../../../../shared/domain/event/emit-id.ts';

const emits = [
  { stream: 'default', id: 'a', json: '{"n":1}' },
  { stream: 'default', id: undefined, json: '{"n":1}' },
  { stream: 'default', id: undefined, json: '{"n":1}' },
  { stream: 'other', id: undefined, json: '{"n":1}' },
  { stream: 'default', id: 'b', json: '{"n":1}' },
  { stream: 'default', id: undefined, json: `"${'x'.repeat(5_000)}"` },
  { stream: 'default', id: undefined, json: `"${'x'.repeat(5_000)}"` },
  { stream: 'default', id: undefined, json: `"${'x'.repeat(4_999)}y"` },
  { stream: 'other', id: undefined, json: `"${'x'.repeat(5_000)}"` },
  { stream: 'default', id: undefined, json: '{"n":1}' },
];

describe('emit ids', () => {
  test('a trigger that runs again names the same emits the same', () => {
    expect(emits.map(emitNamer('t1'))).toEqual(emits.map(emitNamer('t1')));
  });

  test('are the same in every version, also while a stage is upgraded', () => {
    const x = `"${'x'.repeat(5_000)}"`;
    const hashed = ['0\0i\0default\0a', '0\0c\0default\0{"n":1}', '1\0c\0default\0{"n":1}'];
    expect(emits.slice(0, 3).map(emitNamer('t1'))).toEqual(hashed.map((text) => shortHash(`t1\0${text}`)));
    for (const json of [x, Buffer.from(x)])
      expect(emitNamer('t1')({ stream: 's', id: undefined, json })).toBe(shortHash(`t1\u00000\0c\0s\0${x}`));
  });

  test('different emits keep their names in another order', () => {
    const different = emits.filter(
      (emit, index) => emits.findIndex((each) => JSON.stringify(each) === JSON.stringify(emit)) === index,
    );
    const names = different.map(emitNamer('t1'));
    expect(different.toReversed().map(emitNamer('t1'))).toEqual(names.toReversed());
  });

  test('equal emits of a trigger, other streams, other ids and other triggers get different ids', () => {
    const names = [...emits.map(emitNamer('t1')), ...emits.map(emitNamer('t2'))];
    expect(new Set(names).size).toBe(2 * emits.length);
  });

  test('an emit with an id of its own keeps its name when its content changes', () => {
    const [name] = [{ stream: 's', id: 'x', json: '1' }].map(emitNamer('t'));
    const [again] = [{ stream: 's', id: 'x', json: '2' }].map(emitNamer('t'));
    expect(again).toBe(name);
  });

  test('are words that fit a header, a queue and an address', () => {
    for (const name of emits.map(emitNamer('t1'))) expect(name).toMatch(/^[A-Za-z0-9_-]{22}$/);
  });
});
