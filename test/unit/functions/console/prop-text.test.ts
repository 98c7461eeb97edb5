import { describe, expect, test } from 'vitest';
import { changesOf, problemsOf, valuesOf } from '../../../../functions/console/app/props/prop-form.ts';
import { fieldsOf, optionOf, withoutLabel } from '../../../../functions/console/app/props/prop-schema.ts';
import { textOfValue, valueOfText } from '../../../../functions/console/app/props/prop-text.ts';

const fieldOf = (prop: { type: string } & Record<string, unknown>) => {
  const [field] = fieldsOf([{ name: 'prop', ...prop }]);
  return field ?? expect.fail('no field');
};

describe('the text of a field', () => {
  test.each([
    ['string', ' Ada ', ' Ada '],
    ['integer', '-7', -7],
    ['string[]', 'a\n\nb c\n', ['a', 'b c']],
    ['integer[]', '1\n2', [1, 2]],
    ['object', '{"a":[1]}', { a: [1] }],
    ['any', '{"a":1}', { a: 1 }],
    ['any', 'plain', 'plain'],
    ['string', '', undefined],
  ])('of %s %j is %j, and shows the same again', (type, text, value) => {
    const field = fieldOf({ type });
    expect(valueOfText(field, text)).toEqual({ value });
    expect(valueOfText(field, textOfValue(field, value))).toEqual({ value });
  });

  test.each([
    [{ type: 'integer' }, '1.5', 'It must be an integer.'],
    [{ type: 'integer', min: 2 }, '1', 'It must be at least 2.'],
    [{ type: 'integer', max: 2 }, '3', 'It must be at most 2.'],
    [{ type: 'object' }, '{', 'It must be JSON.'],
  ])('%j refuses %s', (prop, text, problem) => {
    expect(valueOfText(fieldOf(prop), text)).toEqual({ problem });
  });
});

describe('a form', () => {
  test('has no field for what the service provides, nor for hidden props', () => {
    const names = fieldsOf([
      { name: 'db', type: '$.service.db' },
      { name: 'http', type: '$.interface.http' },
      { name: 'hook', type: '$.interface.apphook' },
      { name: 'secret', type: 'string', hidden: true },
      { name: 'timer', type: '$.interface.timer' },
      { name: 'text', type: 'string' },
    ]).map(({ name }) => name);
    expect(names).toEqual(['timer', 'text']);
  });

  test('asks for a required value, and for none with a default', () => {
    const fields = fieldsOf([
      { name: 'constructor', type: 'string', label: 'Builder' },
      { name: 'size', type: 'string', default: 's' },
      { name: 'note', type: 'string', optional: true },
      { name: 'app', type: 'app', app: 'shop' },
      { name: 'timer', type: '$.interface.timer' },
    ]);
    expect([...problemsOf(fields, new Map())]).toEqual([['constructor', 'Builder needs a value.']]);
    expect(problemsOf(fields, new Map(), { constructor: 'x' }).size).toBe(0);
  });

  test('asks for an account whose fields the code reads, unless the app is optional', () => {
    const fields = fieldsOf([
      { name: 'shop', type: 'app', app: 'acme', authFields: ['api_key'] },
      { name: 'chat', type: 'app', app: 'slack', authFields: ['token'], optional: true },
      { name: 'unread', type: 'app', app: 'other', authFields: [] },
    ]);
    expect([...problemsOf(fields, new Map())]).toEqual([
      ['shop', 'acme needs an account: choose one, or connect one.'],
    ]);
    expect(problemsOf(fields, new Map(), { shop: { authProvisionId: 'apn_1' } }).size).toBe(0);
  });

  test('sends what changed, and null for what was cleared', () => {
    const fields = fieldsOf(['a', 'b', 'c', '__proto__'].map((name) => ({ name, type: 'string' })));
    const state = new Map([
      ['a', { value: undefined }],
      ['b', { value: 'new' }],
      ['__proto__', { value: 'own' }],
      ['gone', { value: 'of other props' }],
    ]);
    const changes = changesOf(fields, state);
    expect(Object.entries(changes)).toEqual([
      ['a', null],
      ['b', 'new'],
      ['__proto__', 'own'],
    ]);
    expect(valuesOf(fields, state, { a: 'old', c: 'kept' })).toMatchObject({ b: 'new', c: 'kept' });
  });

  test.each([
    ['small', { label: 'small', value: 'small' }],
    [3, { label: '3', value: 3 }],
    [
      { label: 'Large', value: 'l' },
      { label: 'Large', value: 'l' },
    ],
    [{ __lv: { label: 'Rome', value: { id: 1 } } }, { label: 'Rome', value: { id: 1 } }],
    [{ value: 5 }, { label: '5', value: 5 }],
  ])('shows the option %j as %j', (option, shown) => {
    expect(optionOf(option)).toEqual(shown);
  });

  test('knows a stored value with its label', () => {
    expect(withoutLabel({ __lv: { label: 'Rome', value: 'rom' } })).toBe('rom');
    expect(withoutLabel('rom')).toBe('rom');
  });
});
