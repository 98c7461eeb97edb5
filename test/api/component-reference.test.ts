import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { propValue } from '../../bin/tributary/input/prop-values.ts';
import { PROP_TYPES } from '../../shared/domain/component/component-warnings.ts';
import { LARGEST_HTTP_BODY } from '../../shared/domain/event/http-event.ts';
import { LARGEST_PROPS_BYTES } from '../../shared/domain/component/configured-props.ts';
import { dedupe, NOTHING_REMEMBERED } from '../../shared/domain/event/dedupe.ts';
import { MAX_STREAMS } from '../../shared/domain/limits.ts';
import { LARGEST_EMITTED_BYTES } from '../../shared/domain/event/emitted-bytes.ts';
import { defaultLimits } from '../../shared/domain/run-limits.ts';
import { milliseconds } from '../../shared/runtime/emit.ts';
import { Scene } from '../support/scene.ts';

/* The reference of docs/writing-components.md. */

const page = readFileSync('docs/writing-components.md', 'utf8');

/** Cells of the rows of a section's tables, without their code marks. */
function rowsOf(heading: string): string[][] {
  const [, after = ''] = page.split(`### ${heading}\n`);
  const [section = ''] = after.split(/^#{2,3} /m);
  const rows = [...section.matchAll(/^\| (.*) \|$/gm)].map(([, row = '']) => row.split('|').map((cell) => cell.trim()));
  return rows.filter(([first = '']) => !/^-+$/.test(first)).slice(1);
}
const codesIn = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

const component = (props: object, run: string): string =>
  `export default { name: 'Reference', version: '0.0.1', props: ${JSON.stringify(props)}, ${run} };`;

describe('props', () => {
  const types = rowsOf('Props').filter(([, value]) => value !== 'meaning' && value !== undefined);
  const declared = types
    .filter(({ length }) => length === 4)
    .flatMap(([type, value, option]) =>
      codesIn(type).map((name) => ({ type: name, value: codesIn(value)[0], option: codesIn(option)[0] })),
    );

  test('every type is accepted without a warning', async () => {
    const names = declared.map(({ type }) => type);
    expect(names.filter((name) => !name.endsWith('[]')).sort()).toEqual(
      PROP_TYPES.filter((name) => !name.endsWith('[]')).sort(),
    );
    expect(PROP_TYPES).toEqual(expect.arrayContaining(names));
    const props = Object.fromEntries(
      declared.map(({ type }, n) => [`p${n}`, { type, ...(type === 'app' ? { app: 'a' } : {}), optional: true }]),
    );
    const { status, body, text } = await scene.api.post('/components', {
      component_code: component(props, 'run() {}'),
    });
    expect(status, text).toBe(200);
    expect(body.warnings).toBeUndefined();
  });

  const withValues = declared.filter(({ value }) => value !== undefined && !value.includes('…'));

  test('every value is taken, and shown as it was sent', async () => {
    const named = withValues.map((each, n) => ({ ...each, name: `p${n}` }));
    const props = Object.fromEntries(named.map(({ name, type }) => [name, { type }]));
    const values = Object.fromEntries(named.map(({ name, value = '' }) => [name, JSON.parse(value) as unknown]));
    const { data } = await scene.source(component(props, 'run() {}'), { configured_props: values });
    expect(data.configured_props).toMatchObject(values);
  });

  test.each(withValues.filter(({ option }) => option !== undefined))(
    '--prop reads $option as $type',
    ({ type, value = '', option = '' }) => {
      expect(propValue({ name: 'p', type }, [option])).toEqual(JSON.parse(value));
    },
  );

  test('the component gets what the table says', async () => {
    const code = `export default { name: 'This', version: '0.0.1',
      props: { db: '$.service.db', http: '$.interface.http', request: 'http_request', app: { type: 'app', app: 'a', methods: { hi() { return 'hi'; } } }, note: { type: 'alert', content: 'x' } },
      run() { this.db.set('k', 1); this.$emit({ k: this.db.get('k'), endpoint: typeof this.http.endpoint, respond: typeof this.http.respond,
        execute: typeof this.request.execute, hi: this.app.hi(), auth: this.app.$auth, note: this.note ?? 'nothing' }); } };`;
    const source = await scene.source(code, {
      configured_props: { request: { method: 'GET', url: 'https://example.com' } },
    });
    await scene.api.post(`/sources/${source.id}/run`);
    const [event] = await scene.eventsOf(source.id, 1);
    expect(event?.event).toEqual({
      k: 1,
      endpoint: 'string',
      respond: 'function',
      execute: 'function',
      hi: 'hi',
      auth: {},
      note: 'nothing',
    });
  });
});

describe('the event of each interface', () => {
  const [, section = ''] = page.split('### The event of each interface\n');
  const [timer = '', cron = '', http = ''] = [...section.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']) => json);
  const keys = (json: string) => Object.keys(JSON.parse(json) as object);
  const TIMER = component({ timer: '$.interface.timer' }, 'run(event) { this.$emit(event); }');

  test.each([
    ['a timer', timer, { interval_seconds: 900 }],
    ['a timer with a cron expression', cron, { cron: '0 6 * * *' }],
  ])('%s', async (_, json, value) => {
    const { id } = await scene.source(TIMER, { configured_props: { timer: value } });
    await scene.api.post(`/sources/${id}/run`);
    const [event] = await scene.eventsOf(id, 1);
    expect(Object.keys(event?.event as object)).toEqual(keys(json));
    expect(event?.event).toMatchObject(value);
  });

  test('an HTTP request', async () => {
    const { id, endpoint } = await scene.source(
      component({ http: '$.interface.http' }, 'run(event) { this.$emit(event); }'),
    );
    await fetch(`${endpoint}/orders?page=1`, {
      method: 'POST',
      body: '{"id":7}',
      headers: { 'content-type': 'application/json' },
    });
    const [event] = await scene.eventsOf(id, 1, { expand: 'event' });
    const { pathname } = new URL(endpoint);
    const expected = http
      .replace('203.0.113.9', '127.0.0.1')
      .replace('https://INGRESS/ENDPOINT_ID', new URL(endpoint).origin + pathname);
    expect(event?.event).toMatchObject(JSON.parse(expected) as object);
    expect(Object.keys(event?.event as object).sort()).toEqual(keys(http).sort());
  });
});

describe('$emit', () => {
  test('takes the options of the table', async () => {
    expect(rowsOf('`$emit(event, options)`').map(([name]) => codesIn(name)[0])).toEqual([
      'id',
      'summary',
      'ts',
      'name',
      'delivery_ts',
    ]);
    const emits = `run() { this.$emit({ n: 1 }, { id: 7, summary: 'One', ts: 1763830800 }); this.$emit(2, { name: 'other' }); this.$emit({}, { name: '$mine' }); }`;
    const { id } = await scene.source(component({}, emits));
    await scene.api.post(`/sources/${id}/run`);
    const [event] = await scene.eventsOf(id, 1);
    expect(event?.metadata).toMatchObject({ summary: 'One', ts: 1_763_830_800_000 });
    expect(String(event?.metadata.id)).toBe('7');
    expect(await scene.eventsOf(id, 1, { event_name: 'other' })).toMatchObject([{ event: { raw_event: 2 } }]);
    const [refused] = await scene.errorsOf(id);
    expect(refused?.event.error.code).toBe('reserved_stream');
  });

  test('ts is milliseconds, seconds, ISO 8601 or a Date', () => {
    const at = Date.UTC(2026, 10, 22);
    expect([at, at / 1_000, new Date(at).toISOString(), new Date(at)].map(milliseconds)).toEqual(Array(4).fill(at));
  });

  test.each([
    ['unique', [1, 2, 1], [2, 3], [3]],
    ['greatest', [1, 3], [2, 4], [4]],
    ['last', [1, 2], [2, 3], [3]],
  ] as const)('dedupe %s drops what the table says', (strategy, first, second, emitted) => {
    const of = (ids: readonly number[]) => ids.map((id) => ({ id }));
    const { state } = dedupe(strategy, NOTHING_REMEMBERED, of(first));
    expect(dedupe(strategy, state, of(second)).emitted).toEqual(of(emitted));
  });
});

test('limits are those of the service', () => {
  const limits = Object.fromEntries(rowsOf('Limits').map(([name, value]) => [name, value]));
  const { timeoutMs, memoryMb, emits, eventBytes, dbBytes } = defaultLimits;
  expect(limits).toMatchObject({
    'time of a run': `${timeoutMs / 1_000} s`,
    'memory of a run': `${memoryMb} MB`,
    'body of a request to an endpoint': `${LARGEST_HTTP_BODY / 1_024} KB`,
    'one event': `${eventBytes / 2 ** 20} MiB`,
    'events of one run': emits.toLocaleString('en'),
    'all events of one run': `${LARGEST_EMITTED_BYTES / 2 ** 20} MiB`,
    '`$.service.db`': `${dbBytes / 1_024} KB`,
    'values of all props': `${LARGEST_PROPS_BYTES / 1_024} KB`,
    'streams of a source': MAX_STREAMS.toLocaleString('en'),
  });
});
