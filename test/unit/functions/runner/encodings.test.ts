import { afterAll, beforeAll, expect, test } from 'vitest';
import { run, Runner, source } from './harness.ts';

/** The encodings themselves are in test/unit/shared/runtime/redaction/encodings.test.ts; this is every way out of a real child. */

const AUTH = {
  api_key: 'CANARY-apikey-9f8e7d6c5b4a',
  password: 'CANARY p"w\\d/é',
  private_key: '-----BEGIN KEY-----\nCANARYMIIEvQIBADANBg\n-----END KEY-----\n',
  long: `L0ng${'CANARYx9'.repeat(1500)}`,
};

const FORMS = [
  `Buffer.from(JSON.stringify(a)).toString('base64')`,
  `Buffer.from(JSON.stringify(a)).toString('base64url')`,
  `Buffer.from(a.api_key)`,
  `new Uint8Array(Buffer.from(a.api_key))`,
  `Buffer.from(a.api_key).toString('hex')`,
  `Buffer.from(a.api_key).toString('hex').toUpperCase()`,
  `JSON.stringify(JSON.stringify(JSON.stringify(JSON.stringify(a))))`,
  `({ k: a.long })`,
];

let runner: Runner;
beforeAll(async () => (runner = await Runner.start()));
afterAll(() => runner.close());

/** With what is easily decoded of it. */
function readable(text: string): string {
  const all = [text];
  for (const [row] of text.matchAll(/[\w+/-]{12,}/g)) {
    for (const from of [0, 1, 2, 3]) all.push(Buffer.from(row.slice(from), 'base64').toString());
    all.push(Buffer.from(row, 'hex').toString());
  }
  for (const [row] of text.matchAll(/(?:[0-9a-f]{2} ){4,}/g))
    all.push(Buffer.from(row.replaceAll(' ', ''), 'hex').toString());
  all.push(Buffer.from((text.replace(/\W*\d+\W*:/g, ' ').match(/\d+/g) ?? []).map(Number)).toString());
  return all.join('\n');
}

test.each(FORMS)('a child shows no credential as %s', async (form) => {
  const code = source(`async run(how) {
    const a = this.app.$auth; const value = ${form};
    if (how === 'emit') this.$emit({ value }, { id: String(value), summary: String(value) });
    if (how === 'db') { this.db.set('value', value); this.$emit(this.db.get('value')); }
    if (how === 'log') { console.log(value); console.error({ value }, [value]); console.log('%s %o %j', value, value, value); process.stdout.write(String(value)); }
    if (how === 'throw') throw value;
    if (how === 'error') throw Object.assign(new Error('E ' + JSON.stringify(value)), { code: String(value), value });
    if (how === 'uncaught') { setImmediate(() => { throw value; }); await new Promise(() => {}); }
    if (how === 'respond') this.http.respond({ status: 200, headers: { 'x-a': String(value) }, body: value });
    if (how === 'nested') this.http.respond({ status: 200, body: { value: [value] } });
  }`).replace(
    'props: {',
    `props: { app: { type: 'app', app: 'some_app' }, http: { type: '$.interface.http', customResponse: true },`,
  );
  for (const how of ['emit', 'db', 'log', 'throw', 'error', 'uncaught', 'respond', 'nested']) {
    const answer = await runner.run(code, { props: { app: { $auth: AUTH } }, jobs: [run(how)] });
    const lines = answer.lines
      .filter(({ k }) => k !== 'db')
      .map((line) =>
        line.k === 'respond' && line.base64
          ? Buffer.from(line.body, 'base64').toString()
          : JSON.stringify(line),
      );
    const shown = lines.join('\n');
    // Bytes that are no text have no other.
    if (!shown.includes('[object')) expect(shown, how).toContain('[hidden]');
    for (const part of ['CANARY', 'ANARYx9', 'MIIEv']) expect(readable(shown), how).not.toContain(part);
  }
});
