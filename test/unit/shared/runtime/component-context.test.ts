import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createComponentContext } from '../../../../shared/runtime/component-context.ts';
import { Database } from '../../../../shared/runtime/db.ts';
import { componentIn } from '../../../../shared/runtime/load.ts';

type Self = Record<string, unknown>;

/** `this` of a component that declares these props, with these values stored. */
function thisOf(component: object, props: Record<string, unknown> = {}): Self {
  const loaded = componentIn({ default: { name: 'C', ...component } });
  return createComponentContext(loaded, {
    props,
    db: new Database('{}', 1000),
    emit: () => undefined,
    respond: () => undefined,
  });
}

describe('props on `this`', () => {
  test('are the stored values; labelled ones are their values', () => {
    const self = thisOf(
      {
        props: {
          plain: 'string',
          one: 'string',
          many: 'string[]',
          both: 'string[]',
          kept: { type: 'string', withLabel: true },
        },
      },
      {
        plain: 'p',
        one: { __lv: { label: 'One', value: 1 } },
        many: [{ __lv: { label: 'A', value: 'a' } }, 'b'],
        both: {
          __lv: [
            { label: 'A', value: 'a' },
            { label: 'B', value: 'b' },
          ],
        },
        kept: { __lv: { label: 'K', value: 'k' } },
      },
    );

    expect(self).toMatchObject({
      plain: 'p',
      one: 1,
      many: ['a', 'b'],
      both: ['a', 'b'],
      kept: { label: 'K', value: 'k' },
    });
  });

  test('of types that only forms know are plain values', () => {
    const props = {
      folder: 'dir',
      table: 'sql',
      store: 'data_store',
      anything: 'any',
      where: '$.discord.channel[]',
    };
    const values = { folder: '/a', table: { query: 'q' }, store: { x: 1 }, anything: [null], where: ['c'] };

    expect(thisOf({ props }, values)).toMatchObject(values);
  });

  test('have their default when nothing is stored, and a component that changes it does not change the next one', () => {
    const component = {
      props: { list: { type: 'string[]', default: ['a'] }, late: { type: 'string', default: () => 'now' } },
    };
    const self = thisOf(component, { list: null });
    (self['list'] as string[]).push('b');

    expect(self['late']).toBe('now');
    expect(thisOf(component)['list']).toEqual(['a']);
  });

  test('that the code does not declare come from additionalProps', () => {
    const self = thisOf({}, { extra: 1, web: { endpoint: 'http://e' } });

    expect(self).toMatchObject({ extra: 1, web: { endpoint: 'http://e', respond: expect.any(Function) } });
  });

  test('of type app are objects whose methods have their own this and may be passed unbound', () => {
    const app = {
      type: 'app',
      app: 'x',
      methods: {
        key(this: { $auth: { key: string } }) {
          return this.$auth.key;
        },
        greet(this: { key: () => string }) {
          return `Hello ${this.key()}`;
        },
      },
    };
    const self = thisOf({ props: { app } }, { app: { $auth: { key: 'secret-key' } } });
    const { greet } = self['app'] as { greet: () => string };

    expect(greet()).toBe('Hello secret-key');
    expect(JSON.stringify(self) + inspect(self, { depth: 9 })).not.toContain('secret-key');
    expect(thisOf({ props: { app } })['app']).toHaveProperty('$auth', {});
  });

  test('methods share one this and may be passed unbound', () => {
    const self = thisOf({
      methods: {
        remember(this: Self, value: unknown) {
          this['seen'] = value;
        },
      },
    });
    (self['remember'] as (value: unknown) => void)(3);

    expect(self['seen']).toBe(3);
  });
});
