import { describe, expect, test } from 'vitest';
import type { PropDefinition } from '../../../../../shared/domain/component/prop-definition.ts';
import { missingProps } from '../../../../../shared/domain/component/configured-props.ts';

const missing = (props: PropDefinition[], values: Record<string, unknown> = {}, additional?: PropDefinition[]) =>
  missingProps({ props }, values, additional);
const p = (members: Omit<PropDefinition, 'name'> & { type: string }) => [{ name: 'p', ...members }];

test.each([
  'string',
  'integer',
  'boolean',
  'object',
  'any',
  'string[]',
  'sql',
  'data_store',
  'dir',
  'http_request',
  '$.discord.channel',
])('a %s without a value is missing', (type) => {
  expect(missing(p({ type }))).toEqual(['p']);
  expect(missing(p({ type }), { p: null })).toEqual(['p']);
});

test.each([
  { type: '$.service.db' },
  { type: '$.interface.http' },
  { type: '$.interface.timer' },
  { type: '$.interface.apphook' },
  { type: 'alert' },
  { type: 'app' },
  { type: 'string', optional: true },
  { type: 'string', hidden: true },
  { type: 'string', disabled: true },
  { type: 'string', default: '' },
  { type: 'boolean', default: false },
  { type: 'string', default: null },
])('%j is not required', (definition) => {
  expect(missing(p(definition))).toEqual([]);
});

test.each([
  { type: 'string', optional: false },
  { type: 'string', hidden: false, disabled: false, secret: true },
  { type: 'string', options: ['a'] },
])('%j is required', (definition) => {
  expect(missing(p(definition))).toEqual(['p']);
});

test.each(['', 0, false, [], {}])('%j is a value', (value) => {
  expect(missing(p({ type: 'any' }), { p: value })).toEqual([]);
});

test('every missing prop is named, in the order of the code; inherited members are no values', () => {
  const props = ['b', 'a', 'constructor', '__proto__'].map((name) => ({ name, type: 'string' }));
  expect(missing(props, { a: 'x' })).toEqual(['b', 'constructor', '__proto__']);
});

test('a default that is a function counts', () => {
  const props = p({ type: 'string' });
  expect(missingProps({ props, computedDefaults: ['p'] }, {})).toEqual([]);
});

describe('props that additionalProps makes', () => {
  test('are not required when it adds them', () => {
    expect(missing([], {}, p({ type: 'string' }))).toEqual([]);
  });

  test('are not required when it hides one of the code, or makes it optional', () => {
    for (const member of ['hidden', 'optional', 'disabled'])
      expect(missing(p({ type: 'string' }), {}, p({ type: 'string', [member]: true }))).toEqual([]);
    expect(missing(p({ type: 'string' }), {}, p({ type: 'string', label: 'Other' }))).toEqual(['p']);
  });

  test('are not required when it shows one that the code hides', () => {
    const hidden = p({ type: 'string', hidden: true });
    expect(missing(hidden, {}, p({ type: 'string', hidden: false }))).toEqual([]);
  });
});
