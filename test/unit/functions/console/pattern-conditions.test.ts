import { describe, expect, test } from 'vitest';
import { acceptedSamples } from '../../../../functions/console/app/subscriptions/accepted-samples.ts';
import {
  filterText,
  hasCondition,
  membersOf,
  otherCondition,
  toggleCondition,
  eventValuesOf,
} from '../../../../functions/console/app/subscriptions/pattern-conditions.ts';

const EVENT =
  '{"type":"paid","customer":{"country":"CH","tags":["a","b"]},"lines":[{"sku":1},{"sku":2}],"test":false,"note":null}';
const press = (filter: string, names: string[], json: string) =>
  filterText(toggleCondition(membersOf(filter), { names, json }));

describe('the values of an event', () => {
  test('are its scalars, with the names of the objects around them', () => {
    expect(eventValuesOf(EVENT).map(({ names, json }) => `${names.join('.')}=${json}`)).toEqual([
      'type="paid"',
      'customer.country="CH"',
      'customer.tags="a"',
      'customer.tags="b"',
      'lines.sku=1',
      'lines.sku=2',
      'test=false',
      'note=null',
    ]);
  });

  test('leave out what a pattern cannot name or would round', () => {
    expect(eventValuesOf('{"$or":1,"id":12345678901234567890,"n":1.5}').map(({ names }) => names)).toEqual([['n']]);
  });

  test('each make a pattern that accepts the event', () => {
    for (const { names, json } of eventValuesOf(EVENT))
      expect(acceptedSamples([{ name: 'it', json: EVENT }], press('', [...names], json)), names.join('.')).toEqual([
        'it',
      ]);
  });
});

describe('a press of a value', () => {
  test('adds a condition, and another value of the field an alternative', () => {
    const one = press('', ['status'], '"paid"');
    expect(one).toBe('{"status":["paid"]}');
    expect(press(one, ['status'], '"open"')).toBe('{"status":["paid","open"]}');
    expect(press(one, ['customer', 'country'], '"CH"')).toBe('{"status":["paid"],"customer":{"country":["CH"]}}');
  });

  test('takes a condition out again, and leaves nothing empty behind', () => {
    const both = '{"status":["paid","open"],"customer":{"country":["CH"]}}';
    expect(press(both, ['status'], '"paid"')).toBe('{"status":["open"],"customer":{"country":["CH"]}}');
    expect(press(both, ['customer', 'country'], '"CH"')).toBe('{"status":["paid","open"]}');
    expect(press('{"status":["paid"]}', ['status'], '"paid"')).toBe('');
  });

  test('keeps operators that were typed', () => {
    expect(press('{"n":[{"numeric":[">",1]}]}', ['n'], '0')).toBe('{"n":[{"numeric":[">",1]},0]}');
  });

  test('is refused where the field has a condition of another shape, which would be lost', () => {
    const other = (filter: string, ...names: string[]) => otherCondition(membersOf(filter), { names, json: '1' });
    expect(other('{"data":{"n":[1]}}', 'data')).toBe('data');
    expect(other('{"data":["a"]}', 'data', 'n')).toBe('data');
    expect(other('{"data":{"n":{"m":[1]}}}', 'data', 'n')).toBe('n');
    expect(other('{"n":[{"numeric":[">",1]}]}', 'n')).toBeUndefined();
    expect(other('{"data":{"n":[1]}}', 'data', 'm')).toBeUndefined();
    expect(other('{"$or":[{"n":[1]}]}', 'n')).toBeUndefined();
    expect(other('', 'data', 'n')).toBeUndefined();
  });

  test('takes any name of a member as a name', () => {
    const filter = press('', ['__proto__', 'constructor'], '1');
    expect(filter).toBe('{"__proto__":{"constructor":[1]}}');
    expect(hasCondition(membersOf(filter), { names: ['__proto__', 'constructor'], json: '1' })).toBe(true);
    expect(hasCondition(membersOf(''), { names: ['__proto__', 'constructor'], json: '1' })).toBe(false);
  });
});
