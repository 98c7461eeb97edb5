import { afterAll, beforeAll, expect, test } from 'vitest';
import { run, Runner, source } from '../../unit/functions/runner/harness.ts';

/** Every way out of a real child. The forms themselves are in test/shared/runtime/redaction/forms.test.ts. */

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
    const answer = await runner.run(code, { props: { app: { $auth: AUTH } }, jobs: [run(how)] });
    const lines = answer.lines
      .filter(({ k }) => k !== 'db')
      .map((line) =>
        line.k === 'respond' && line.base64
          ? Buffer.from(line.body, 'base64').toString()
          : JSON.stringify(line),
      );
    const shown = lines.join('\n');
    expect(shown, how).toContain('[hidden]');
    for (const part of ['CANARY', 'ANARYx9', 'MIIEv']) expect(readable(shown), how).not.toContain(part);
  }
});
