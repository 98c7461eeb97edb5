import { expect, expectTypeOf, test } from 'vitest';
import type { HttpEvent, TimerEvent } from '../../../../bin/component/component-events.ts';
import { defineSource } from '../../../../bin/component/define-source.ts';
import type { ComponentDatabase, HttpInterface, TimerInterface } from '../../../../bin/component/prop-types.ts';

/* The types are checked by the linter. */

const shop = {
  type: 'app',
  app: 'shop',
  methods: {
    orders(since: number): string[] {
      return [String(since)];
    },
  },
} as const;

test('a type of a prop that does not exist is an error of TypeScript, and an app of a package is none', () => {
  const app: { type: string; app: string } = { type: 'app', app: 'shop' };
  defineSource({ name: 'Orders', version: '1', props: { app, base: '$.airtable.baseId', urls: { type: 'string[]' } } });
  // @ts-expect-error -- no such type
  defineSource({ name: 'Orders', version: '1', props: { url: { type: 'strng' } } });
  // @ts-expect-error -- no such type
  expect(defineSource({ name: 'Orders', version: '1', props: { url: 'strng' } }).props).toEqual({ url: 'strng' });
});

test('this has the types of the props and the methods, in run, hooks and methods', () => {
  const source = defineSource({
    name: 'Orders',
    version: '1',
    dedupe: 'unique',
    props: {
      db: '$.service.db',
      http: { type: '$.interface.http', customResponse: true },
      url: { type: 'string', label: 'URL' },
      token: { type: 'string', optional: true, secret: true },
      limit: { type: 'integer', optional: true, default: 5 },
      tags: 'string[]',
      isNew: { type: 'boolean' },
      filter: { type: 'object' },
      anything: 'any',
      shop,
    },
    methods: {
      twice(count: number): number {
        expectTypeOf(this.url).toEqualTypeOf<string>();
        return count * this.limit;
      },
    },
    hooks: {
      deploy() {
        expectTypeOf(this.shop.orders(1)).toEqualTypeOf<string[]>();
      },
    },
    run(event) {
      expectTypeOf(event).toEqualTypeOf<HttpEvent>();
      expectTypeOf(this.db).toEqualTypeOf<ComponentDatabase>();
      expectTypeOf(this.http).toEqualTypeOf<HttpInterface>();
      expectTypeOf(this.token).toEqualTypeOf<string | undefined>();
      expectTypeOf(this.limit).toEqualTypeOf<number>();
      expectTypeOf(this.tags).toEqualTypeOf<string[]>();
      expectTypeOf(this.isNew).toEqualTypeOf<boolean>();
      expectTypeOf(this.filter).toEqualTypeOf<Record<string, unknown>>();
      expectTypeOf(this.anything).toEqualTypeOf<unknown>();
      expectTypeOf(this.shop.$auth).toEqualTypeOf<Readonly<Record<string, string>>>();
      this.$emit({ twice: this.twice(2) }, { id: 1, summary: 'two', ts: Date.now() });
      // @ts-expect-error -- no such prop
      void this.ulr;
      // @ts-expect-error -- an option of another name
      this.$emit({}, { sumary: 'two' });
      // @ts-expect-error -- a prop cannot be set
      this.url = 'http://other.test';
    },
  });
  expect(source.name).toBe('Orders');
});

test('the event has the type of the interfaces; a listener declares it', () => {
  defineSource({
    name: 'Timer',
    version: '1',
    props: { timer: { type: '$.interface.timer', default: { intervalSeconds: 900 } } },
    run(event) {
      expectTypeOf(event).toEqualTypeOf<TimerEvent>();
      expectTypeOf(this.timer).toEqualTypeOf<TimerInterface>();
    },
  });
  defineSource({
    name: 'Both',
    version: '1',
    props: { timer: '$.interface.timer', http: '$.interface.http' },
    run(event) {
      expectTypeOf(event).toEqualTypeOf<HttpEvent | TimerEvent>();
    },
  });
  defineSource({
    name: 'Listener',
    version: '1',
    run(event: { order: number }) {
      this.$emit({ order: event.order });
    },
  });
  defineSource({
    name: 'None',
    version: '1',
    run(event) {
      expectTypeOf(event).toEqualTypeOf<unknown>();
    },
  });
  // @ts-expect-error -- a name is missing
  expect(defineSource({ version: '1' })).toBeTypeOf('object');
  // @ts-expect-error -- no such strategy
  expect(defineSource({ name: 'X', version: '1', dedupe: 'uniq' })).toBeTypeOf('object');
});
