import { describe, expect, test } from 'vitest';
import type { PropDefinition } from '../../../../../shared/domain/component/prop-definition.ts';
import { configureProps } from '../../../../../shared/domain/component/configured-props.ts';

const configure = (props: PropDefinition[], input: Record<string, unknown>, kept?: Record<string, unknown>) =>
  configureProps({ props, hasAdditionalProps: false }, input, kept);

const one = (definition: Omit<PropDefinition, 'name'> & { type: string }) => [{ name: 'p', ...definition }];

test.each([
  ['string', 'x'],
  ['string', ''],
  ['integer', -5],
  ['boolean', false],
  ['object', { a: 1 }],
  ['any', [1, 'x']],
  ['string[]', ['a']],
  ['integer[]', []],
  ['boolean[]', [true]],
  ['app', { authProvisionId: 'apn_1' }],
  ['$.discord.channel[]', ['x']],
  ['sql', 'select 1'],
])('a %s takes %j', (type, value) => {
  expect(configure(one({ type }), { p: value })).toEqual({ ok: true, props: { p: value } });
});

test.each([
  ['string', 1],
  ['string', ['x']],
  ['integer', 1.5],
  ['integer', '1'],
  ['integer', 2 ** 60],
  ['boolean', 'true'],
  ['object', []],
  ['string[]', 'x'],
  ['string[]', [1]],
  ['app', 'apn_1'],
  ['$.interface.http', 5],
  ['$.interface.timer', []],
])('a %s refuses %j', (type, value) => {
  const read = configure(one({ type }), { p: value });
  expect(read).toMatchObject({ ok: false, details: [{ path: 'configured_props.p' }] });
});

test('min and max hold', () => {
  expect(configure(one({ type: 'integer', min: 2 }), { p: 1 }).ok).toBe(false);
  expect(configure(one({ type: 'integer', min: 2, max: 3 }), { p: 3 }).ok).toBe(true);
});

test('labelled values are unwrapped', () => {
  const input = { p: [{ __lv: { label: 'A', value: 'a' } }, 'b'] };
  expect(configure(one({ type: 'string[]' }), input)).toEqual({ ok: true, props: { p: ['a', 'b'] } });
});

describe('an unset prop', () => {
  test('takes its default, of whatever type; null is unset', () => {
    const props = [{ name: 'p', type: 'integer', default: 'seven' }];
    expect(configure(props, {})).toEqual({ ok: true, props: { p: 'seven' } });
    expect(configure(props, { p: null })).toEqual({ ok: true, props: { p: 'seven' } });
  });
  test('without one is left out, as is $.service.db', () => {
    const props = [
      { name: 'a', type: 'string' },
      { name: 'db', type: '$.service.db' },
    ];
    expect(configure(props, { db: {} })).toEqual({ ok: true, props: {} });
  });
});

describe('an update', () => {
  test('keeps what it does not name, and drops what the component does not have', () => {
    const props = [
      { name: 'a', type: 'string' },
      { name: 'b', type: 'integer', default: 1 },
      { name: 't', type: '$.interface.timer' },
    ];
    const kept = { a: 'x', b: 'of another type', gone: 1, t: { interval_seconds: 60, cron: null } };
    expect(configure(props, { a: 'y' }, kept)).toEqual({
      ok: true,
      props: { a: 'y', b: 'of another type', t: { interval_seconds: 60, cron: null } },
    });
    expect(configure(props, { b: null, t: null }, kept)).toEqual({
      ok: true,
      props: { a: 'x', b: 1, t: { interval_seconds: 3_600, cron: null } },
    });
  });
});

test('values keyed by names that objects inherit are unknown props', () => {
  for (const name of ['constructor', 'toString', '__proto__']) {
    const input = JSON.parse(`{"${name}":1}`) as Record<string, unknown>;
    expect(configure([], input)).toMatchObject({
      ok: false,
      details: [{ path: `configured_props.${name}` }],
    });
  }
});

test('a component with additionalProps takes what it does not declare', () => {
  const read = configureProps({ props: [], hasAdditionalProps: true }, { dynamic: 1, none: null }, { old: 2 });
  expect(read).toEqual({ ok: true, props: { old: 2, dynamic: 1 } });
});

test('more than 64 KB is refused', () => {
  expect(configure(one({ type: 'string' }), { p: 'x'.repeat(65_000) }).ok).toBe(true);
  expect(configure(one({ type: 'string' }), { p: 'x'.repeat(66_000) }).ok).toBe(false);
});

describe('a declared list of options', () => {
  const named = one({ type: 'string', options: ['a', { label: 'B', value: 'b' }] });
  const many = one({ type: 'integer[]', options: [1, { label: 'Two', value: 2 }] });

  test('is what can be chosen from, each element of an array too', () => {
    expect(configure(named, { p: 'b' })).toEqual({ ok: true, props: { p: 'b' } });
    expect(configure(named, { p: 'c' })).toMatchObject({
      details: [{ path: 'configured_props.p', message: 'must be one of "a", "b"' }],
    });
    expect(configure(many, { p: [2, 1] }).ok).toBe(true);
    expect(configure(many, { p: [2, 3] })).toMatchObject({
      details: [{ message: 'has an element 1 that must be one of 1, 2' }],
    });
  });

  test('does not hold what comes with a label, but its type does', () => {
    expect(configure(named, { p: { __lv: { label: 'New', value: 'new' } } })).toEqual({
      ok: true,
      props: { p: 'new' },
    });
    expect(configure(named, { p: { __lv: { label: 'New', value: 5 } } }).ok).toBe(false);
    expect(configure(many, { p: { __lv: [{ label: 'Five', value: 5 }] } })).toEqual({
      ok: true,
      props: { p: [5] },
    });
  });

  test('does not hold a default', () => {
    expect(configure(one({ type: 'string', options: ['a'], default: 'z' }), {}).ok).toBe(true);
  });
});

test('a prop that asks for labels keeps them', () => {
  const input = { p: { __lv: { label: 'A', value: 'a' } } };
  expect(configure(one({ type: 'string', withLabel: true }), input)).toEqual({ ok: true, props: input });
});

test('types of apps, sql, dir and the like take any value; an alert has none', () => {
  for (const type of ['any', 'sql', 'dir', 'data_store', '$.discord.channel[]', '$.airtable.baseId'])
    for (const value of ['x', 5, { a: 1 }, ['y']])
      expect(configure(one({ type }), { p: value })).toEqual({ ok: true, props: { p: value } });
  expect(configure(one({ type: 'alert', content: 'Mind!' }), { p: 'x' })).toEqual({ ok: true, props: {} });
});

describe('an http_request', () => {
  const problem = (value: unknown) => {
    const read = configure(one({ type: 'http_request' }), { p: value });
    return read.ok ? undefined : read.details.map(({ path, message }) => `${path} ${message}`).join();
  };

  test('is an object with the member types that execute() reads; the component may fill in missing members', () => {
    for (const value of [
      {},
      { url: 'https://example.com', method: 'POST', headers: [{ name: 'a', value: 'b' }], body: 'text' },
      {
        url: 'https://example.com',
        headers: { a: 'b' },
        params: { q: 1 },
        auth: { type: 'none' },
        body: null,
      },
      { url: null, method: null, headers: null, params: [] },
    ])
      expect(configure(one({ type: 'http_request' }), { p: value })).toEqual({
        ok: true,
        props: { p: value },
      });
  });

  test('of another type is refused by name', () => {
    for (const value of [5, true, 'https://example.com', ['GET']])
      expect(problem(value)).toMatch(/^configured_props\.p must be an object/);
    expect(problem({ url: 5 })).toBe('configured_props.p has a url that must be a string');
    expect(problem({ url: 'https://example.com', method: {} })).toBe(
      'configured_props.p has a method that must be a string',
    );
    for (const name of ['headers', 'params', 'query'])
      expect(problem({ [name]: 'a=b' })).toBe(`configured_props.p has ${name} that must be an object or an array`);
  });
});

test('more than 1,000 values are one problem, whatever the props of the component', () => {
  const input = Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`p${n}`, 1]));
  for (const hasAdditionalProps of [false, true]) {
    expect(configureProps({ props: [], hasAdditionalProps }, input)).toEqual({
      ok: false,
      details: [{ path: 'configured_props', message: 'must not have more than 1000 props' }],
    });
  }
});
