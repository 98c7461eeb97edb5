import { afterAll, beforeAll, expect, test } from 'vitest';
import { run, Runner, source } from './harness.ts';

/** Every output of a real child. test/unit/shared/runtime/redaction/forms.test.ts tests the forms themselves. */

const AUTH = {
  api_key: 'CANARY-apikey-9f8e7d6c5b4a',
  password: 'CANARY p"w\\d/é',
  private_key: '-----BEGIN KEY-----\nCANARYMIIEvQIBADANBg\n-----END KEY-----\n',
  long: `L0ng${'CANARYx9'.repeat(500)}`,
};

const FORMS = [
  `a`,
  `a.password`,
  `Buffer.from(JSON.stringify(a)).toString('base64')`,
  `Buffer.from(JSON.stringify(a)).toString('base64url')`,
  `JSON.stringify(JSON.stringify(JSON.stringify(JSON.stringify(a))))`,
  `new URLSearchParams(a).toString()`,
  `({ k: a.long })`,
];

let runner: Runner;
beforeAll(async () => (runner = await Runner.start()));
afterAll(() => runner.close());

/** The text with its Base64 decoded. */
function readable(text: string): string {
  const all = [text];
  for (const [row] of text.matchAll(/[\w+/-]{12,}/g))
    for (const from of [0, 1, 2, 3]) all.push(Buffer.from(row.slice(from), 'base64').toString());
  return all.join('\n');
}

test.each(FORMS)('a child shows no credential as %s', async (form) => {
  const code = source(`async run(how) {
    const a = this.app.$auth; const value = ${form};
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (how === 'emit') this.$emit({ value }, { id: text, summary: text, name: text.length > 60 ? 'x' : text });
    if (how === 'db') { this.db.set('value', value); this.$emit(this.db.get('value')); }
    if (how === 'log') { console.log(value); console.error({ value }, [value]); console.log('%s %o %j', value, value, value); process.stdout.write(text); }
    if (how === 'throw') throw value;
    if (how === 'error') throw Object.assign(new Error('E ' + text), { code: text, value });
    if (how === 'uncaught') { setImmediate(() => { throw value; }); await new Promise(() => {}); }
    if (how === 'respond') this.http.respond({ status: 200, headers: { 'x-a': text.replace(/\\W/g, encodeURIComponent) }, body: value });
    if (how === 'bytes') this.http.respond({ status: 200, body: Buffer.from(text) });
    if (how === 'nested') this.http.respond({ status: 200, body: { value: [value] } });
  }`).replace(
    'props: {',
    `props: { app: { type: 'app', app: 'some_app' }, http: { type: '$.interface.http', customResponse: true },`,
  );
  for (const how of ['emit', 'db', 'log', 'throw', 'error', 'uncaught', 'respond', 'bytes', 'nested']) {
    const response = await runner.run(code, { props: { app: { $auth: AUTH } }, jobs: [run(how)] });
    const lines = response.lines
      .filter(({ k }) => k !== 'db')
      .map((line) =>
        line.k === 'respond' && line.base64 ? Buffer.from(line.body, 'base64').toString() : JSON.stringify(line),
      );
    const shown = lines.join('\n');
    expect(shown, how).toContain('[hidden]');
    for (const part of ['CANARY', 'ANARYx9', 'MIIEv']) expect(readable(shown), how).not.toContain(part);
  }
});

test('a child that is still warm redacts the fields of the account as it is now', async () => {
  const code = source(`run() { console.log(this.app.$auth); this.$emit([process.pid, this.app.$auth]); }`);
  const shown = [];
  for (const token of ['first-token', 'second-token'])
    shown.push(await runner.run(code, { props: { app: { $auth: { token } } } }));
  const [[first], [second]] = shown.map(({ events }) => events) as [[unknown[]], [unknown[]]];
  expect(second).toEqual([first[0], { token: '[hidden]' }]);
  expect(shown.flatMap(({ logs }) => logs)).toEqual(["{ token: '[hidden]' }", "{ token: '[hidden]' }"]);
});

test('a child that is still warm redacts a token that was renewed, also one that the component kept', async () => {
  const code = source(
    `run(how) {
      const { token } = this.app.$auth;
      kept.push(token);
      console.log(kept, kept.join(' '));
      process.stdout.write(kept.join());
      this.$emit({ pid: process.pid, kept, nested: JSON.stringify({ kept }) }, { id: kept.join(), summary: kept.join() });
      if (how === 'throw') throw new Error('refused: ' + kept.join());
    }`,
    'const kept = [];',
  );
  const processes = new Set<unknown>();
  for (const [n, how] of ['', 'throw', '', 'throw'].entries()) {
    const props = { app: { $auth: { token: `CANARY-token-${n}-5f2c9b` } } };
    const response = await runner.run(code, { props, jobs: [run(how), run('throw')] });
    expect(response.of('emit').length).toBeGreaterThan(0);
    for (const event of response.events) processes.add((event as { pid: unknown }).pid);
    const shown = JSON.stringify(response.lines);
    expect(shown).toContain('[hidden]');
    expect(readable(shown)).not.toContain('CANARY');
  }
  expect(processes.size).toBe(1);
});
