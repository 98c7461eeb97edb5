import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { STARTING_POINTS } from '../../../shared/domain/component/starting-points.ts';
import type { RunComponentOptions } from '../../../bin/component/component-run.ts';
import { runComponentWith } from '../../../bin/component/run-component.ts';

const folder = mkdtempSync(join(tmpdir(), 'run-component-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const programs = join(inject('assembly'), 'functions');
const runFile = (file: string | URL, options?: RunComponentOptions) => runComponentWith(programs, file, options);

test('a run gives emits, logs, response and db, of TypeScript with files of its own', async () => {
  write('lib/text.ts', `export const greet = (name: string): string => \`Hello \${name}\`;`);
  const file = write(
    'sources/greeter.ts',
    `import { defineSource } from '@tributary-events/tributary/component';
import { greet } from '../lib/text';
export default defineSource({
  name: 'Greeter', version: '1', dedupe: 'unique',
  props: { db: '$.service.db', http: { type: '$.interface.http', customResponse: true }, greeting: { type: 'string', default: 'Hi' } },
  run(event) {
    console.log('got', event.method);
    const count = Number(this.db.get('count') ?? 0) + 1;
    this.db.set('count', count);
    this.http.respond({ status: 201, headers: { a: 'b' }, body: { count } });
    this.$emit({ text: greet('you'), at: this.http.endpoint }, { id: 2, ts: 1_700_000_000_002, summary: this.greeting });
    this.$emit({ text: 'again' }, { id: 2, ts: 1_700_000_000_003 });
    this.$emit({ text: 'first' }, { id: 1, ts: 1_700_000_000_001, name: 'other' });
  },
});`,
  );
  const run = await runFile(pathToFileURL(file), {
    event: { method: 'POST', headers: {} },
    db: { count: 4, kept: true },
  });
  expect(run).toEqual({
    emits: [
      { event: { text: 'first' }, id: 1, ts: 1_700_000_000_001, name: 'other' },
      {
        event: { text: 'Hello you', at: expect.any(String) as string },
        id: 2,
        ts: 1_700_000_000_002,
        summary: 'Hi',
      },
    ],
    logs: [{ level: 'log', message: 'got POST' }],
    response: { status: 201, headers: expect.objectContaining({ a: 'b' }) as object, body: '{"count":5}' },
    db: { count: 5, kept: true },
    errors: [],
  });
});

test('a run that throws keeps what it did before, and shows the line', async () => {
  const file = write(
    'throws.mjs',
    `export default { name: 'T', props: { timer: '$.interface.timer' }, run(event) {
  this.$emit(event);
  this.missing.member;
} };`,
  );
  const { emits, errors } = await runFile(file);
  expect(emits).toEqual([{ event: { timestamp: expect.any(Number) as number, interval_seconds: 3600 } }]);
  expect(errors).toMatchObject([{ code: 'TypeError', stack: expect.stringContaining('throws.mjs:3') as string }]);
  expect(errors[0]?.stack).toContain('    this.missing.member;\n');
});

test('the rules of the runner hold: limits, redaction, the own process', async () => {
  const file = write(
    'rules.mjs',
    `export default { name: 'R', props: { db: '$.service.db', app: { type: 'app', app: 'x' } }, async run(event) {
  console.log(this.app.$auth.key, process.pid === event.pid);
  try { this.db.set('a', 'x'.repeat(70_000)); } catch (e) { console.log(e.code); }
  if (event.hangs) await new Promise(() => setTimeout(() => {}, 60_000));
} };`,
  );
  const props = { app: { $auth: { key: 'secret-canary' } } };
  const run = await runFile(file, { props, event: { pid: process.pid } });
  expect(run.logs.map(({ message }) => message)).toEqual(['[hidden] false', 'db_too_large']);
  const hanging = await runFile(file, { props, event: { hangs: true }, timeoutMs: 500 });
  expect(hanging.errors.map(({ code }) => code)).toEqual(['timeout']);
});

describe('a starting point runs as it is written', () => {
  const kinds = ['poller', 'webhook', 'cron', 'listener'] as const;
  const cases = kinds.flatMap((kind) => [false, true].map((isTypeScript) => ({ kind, isTypeScript })));

  test.each(cases)('$kind, in TypeScript: $isTypeScript', async ({ kind, isTypeScript }) => {
    const server = createServer((_, response) => response.end('[{"id":2,"name":"two"},{"id":1}]'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const code = STARTING_POINTS[kind].code({ key: 'mine', name: 'Mine', isTypeScript });
    const file = write(`mine-${kind}.${isTypeScript ? 'ts' : 'mjs'}`, code);
    const props = kind === 'poller' ? { url: `http://127.0.0.1:${port}/` } : {};
    const { emits, errors } = await runFile(file, {
      props,
      ...(kind === 'listener' ? { event: { a: 1 } } : {}),
    });
    expect(errors).toEqual([]);
    // The lists of the console show the summary.
    for (const { summary } of emits) expect(summary).toMatch(/\w/);
    expect(emits.map(({ event }) => event)).toMatchObject(
      {
        poller: [{ id: 1 }, { id: 2 }],
        webhook: [{ method: 'POST', body: {} }],
        cron: [{ count: 1 }],
        listener: [{ a: 1 }],
      }[kind],
    );
  });
});

test('an event is what the source would get: a request without data, a body, a tick', async () => {
  const file = write(
    'event.mjs',
    `export default { name: 'E', props: { http: '$.interface.http' }, run({ method, body }) { this.$emit({ method, body }); } };`,
  );
  expect((await runFile(file)).emits).toEqual([{ event: { method: 'POST', body: {} } }]);
  expect((await runFile(file, { event: { a: 1 } })).emits).toEqual([{ event: { method: 'POST', body: { a: 1 } } }]);
});

test('a hook runs, and reaches servers of this machine', async () => {
  const server = createServer((_, response) => response.end('answered'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const file = write(
    'hook.mjs',
    `export default { name: 'H', props: { url: 'string' }, hooks: { async deploy() {
  this.$emit(await (await fetch(this.url)).text()); } }, run() {} };`,
  );
  const { emits } = await runFile(file, { props: { url: `http://127.0.0.1:${port}/` }, hook: 'deploy' });
  server.close();
  expect(emits).toEqual([{ event: 'answered' }]);
});

test.each([
  ['code that does not parse', 'export default {\n  name: ;\n};', {}, /^[^\n]*bad\.mjs:2:9: Unexpected ";"/],
  [
    'a module that throws',
    `export default { name: 'X' };\nthrow new RangeError('at load');`,
    {},
    /does not load: RangeError: at load\n.*bad\.mjs:2/,
  ],
  [
    'a prop that is missing',
    `export default { name: 'X', props: { url: 'string' }, run() {} };`,
    {},
    /^props\.url is required$/,
  ],
  [
    'a prop of another type',
    `export default { name: 'X', props: { n: 'integer' }, run() {} };`,
    { n: 'a' },
    /^props\.n /,
  ],
])('%s rejects', async (_, code, props, message) => {
  await expect(runFile(write('bad.mjs', code), { props })).rejects.toThrow(message);
});
