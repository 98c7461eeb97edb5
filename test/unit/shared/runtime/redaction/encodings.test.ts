import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { emitter } from '../../../../../shared/runtime/emit.ts';
import { type FinishedRun, outcomeOf } from '../../../../../shared/service/runs/run-outcome.ts';
import { logText } from '../../../../../shared/runtime/logs.ts';
import { Outside } from '../../../../../shared/runtime/redaction/public-values.ts';
import { responseOf } from '../../../../../shared/runtime/respond.ts';
import { hiding } from '../../../../../shared/runtime/redaction/redactor.ts';
import { shownLine } from '../../../../../shared/runtime/redaction/redact-line.ts';
import { runErrorOf } from '../../../../../shared/runtime/thrown.ts';
import { NOTHING_REMEMBERED } from '../../../../../shared/domain/dedupe.ts';
import { defaultLimits, type RunnerLine } from '../../../../../shared/domain/run.ts';

/** Encoded values leave a child by no way out; what anybody can decode of it again is looked through, too. */

const FIELDS = {
  key: 'CANARY-apikey-9f8e7d6c5b4a',
  password: 'CANARY p"w\\d\\\\&<>é/🙂',
  lines:
    '-----BEGIN KEY-----\nCANARYMIIEvQIBADANBgkqhkiG9w0BA\nVJTUt9Us8cKjMzEfYCANARY4R4/M+=\n-----END KEY-----\n',
  long: `L0ng${'CANARYx9'.repeat(1500)}`,
};
type Fields = typeof FIELDS;

const bytes = (text: string) => Buffer.from(text);
const base64 = (text: string) => bytes(text).toString('base64');
const nested = (value: unknown, times: number): string =>
  JSON.stringify(times === 1 ? value : nested(value, times - 1));
const each = (map: (value: string) => unknown) => (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, map(value)]));

const ENCODINGS: [string, (fields: Fields) => unknown][] = [
  ['JSON in Base64', (fields) => base64(JSON.stringify(fields))],
  ['JSON in Base64 for addresses', (fields) => bytes(JSON.stringify(fields)).toString('base64url')],
  ['JSON in JSON in Base64', (fields) => base64(nested(fields, 2))],
  ['JSON of one field in Base64', each((value) => base64(JSON.stringify({ value })))],
  ['a name and password in Base64', each((value) => base64(`user:${value}`))],
  ['a form in Base64', (fields) => base64(new URLSearchParams(fields).toString())],
  ['an address in Base64', each((value) => base64(`https://host/?q=${encodeURIComponent(value)}`))],
  ['a buffer', each(bytes)],
  ['a buffer of JSON', (fields) => bytes(JSON.stringify(fields))],
  ['an array of bytes', each((value) => new Uint8Array(bytes(value)))],
  ['bare bytes', each((value) => new Uint8Array(bytes(value)).buffer)],
  ['a list of bytes', each((value) => [...bytes(value)])],
  ['a list with others in it', each((value) => [null, 'x', 1.5, -1, 300, ...bytes(value), {}])],
  ['a list of bytes as text', each((value) => bytes(value).join(', '))],
  ['a shown buffer', each((value) => inspect({ value: bytes(value) }))],
  ['shown bytes', each((value) => inspect(new Uint8Array(bytes(value))))],
  ['shown bytes by their index', each((value) => inspect({ ...bytes(value) }))],
  ['a buffer in JSON in JSON', each((value) => nested(bytes(value), 3))],
  [
    'bytes in JSON of several lines',
    each((value) => JSON.stringify(JSON.stringify([...bytes(value)], null, 2))),
  ],
  ['hexadecimal', each((value) => bytes(value).toString('hex'))],
  ['hexadecimal in capitals', each((value) => bytes(value).toString('hex').toUpperCase())],
  ['hexadecimal among more of it', each((value) => `a${bytes(`user:${value}`).toString('hex')}b`)],
  ['hexadecimal of JSON', (fields) => bytes(JSON.stringify(fields)).toString('hex')],
  [
    'hexadecimal in pairs',
    each((value) =>
      bytes(value)
        .toString('hex')
        .replace(/..(?=.)/g, '$&:'),
    ),
  ],
  ...[3, 4, 5, 6].map((times): [string, (fields: Fields) => unknown] => [
    `JSON ${times} deep`,
    (fields) => nested(fields, times),
  ]),
  ['an address in an address', each((value) => encodeURIComponent(encodeURIComponent(value)))],
  ['what the console cuts', (fields) => ({ fields: { ...fields }, text: `x${fields.long}` })],
  ['what was cut before', each((value) => inspect({ value, more: [value] }, { maxStringLength: 40 }))],
];

const hidden = () =>
  hiding({ credentials: new Set(Object.values(FIELDS)), others: new Set() }, new Outside());

function decodings(text: string): string[] {
  const all = [text];
  for (const [row] of text.matchAll(/[\w+/-]{8,}/g))
    for (const from of [0, 1, 2, 3]) all.push(Buffer.from(row.slice(from), 'base64').toString());
  for (const [row] of text.matchAll(/[0-9a-f](?:[ :]?[0-9a-f]){7,}/gi))
    for (const from of [0, 1]) all.push(Buffer.from(row.replace(/[ :]/g, '').slice(from), 'hex').toString());
  const numbers = text.replace(/["'\\]*\d+["'\\]*:/g, '').match(/\d+/g) ?? [];
  all.push(Buffer.from(numbers.map(Number)).toString());
  for (let one = text; /%25/.test(one);) all.push((one = one.replaceAll('%25', '%')));
  return all;
}

function expectNothing(shown: unknown): void {
  const text = typeof shown === 'string' ? shown : JSON.stringify(shown);
  expect(text).toContain('[hidden]');
  for (const one of decodings(text))
    for (const part of ['CANARY', 'MIIE', 'VJTU', 'apikey', 'ANARYx9'])
      expect(one.slice(Math.max(0, one.indexOf(part) - 40)).slice(0, 90)).not.toContain(part);
}

/** What one emit writes. */
function emitted(event: unknown, meta?: unknown): RunnerLine[] {
  const lines: RunnerLine[] = [];
  const write = (line: RunnerLine) => void lines.push(line);
  emitter({ job: 'j', limits: defaultLimits, write, hide: hidden() })(event, meta);
  return lines;
}

describe.each(ENCODINGS)('%s of a credential is hidden', (_, encode) => {
  const value = encode(FIELDS);
  const isWhole = typeof value === 'string' || Buffer.isBuffer(value);
  const texts = isWhole ? [value] : Object.values(Object(value) as object);

  test('in events, and what stands beside them', () => {
    if (!(value instanceof ArrayBuffer) && !JSON.stringify(value).includes('{}'))
      expectNothing(emitted({ value }));
    for (const text of texts)
      if (typeof text === 'string') expectNothing(emitted(1, { id: text, summary: text })[0]);
  });

  test('in logs', () => {
    const { inText } = hidden();
    for (const format of [[value], [{ value }], ['%s %o', value, value], [[[[[value]]]]], [inspect(value)]]) {
      const text = logText(format, inText);
      if (!text.includes('[Array]')) expectNothing(text);
    }
  });

  test('in errors', () => {
    const { inText } = hidden();
    for (const text of texts) {
      expectNothing(runErrorOf(text instanceof ArrayBuffer ? inspect(text) : text, inText));
      if (typeof text === 'string')
        expectNothing(runErrorOf(Object.assign(new Error(text), { code: text }), inText));
    }
  });

  test('in responses', () => {
    for (const body of [...texts, typeof value === 'string' ? value : { value }]) {
      if (JSON.stringify(body).includes('{}')) continue;
      const headers = typeof body === 'string' && /^[ -~]*$/.test(body) ? { 'x-a': body } : {};
      const { response } = responseOf({ status: 200, headers, body });
      const line = shownLine({ k: 'respond', job: 'j', ...response }, hidden());
      if (line.k !== 'respond') throw new Error('another line');
      const shown = line.base64 ? Buffer.from(line.body, 'base64').toString('latin1') : line.body;
      expectNothing({ headers: line.headers, shown });
    }
  });
});

test('bytes of a value leave what is around them', () => {
  const { inEvent, inText } = hidden();
  const data = [1, 2, ...bytes(FIELDS.key), 3];
  expect(inEvent({ data, by: Object.fromEntries(data.entries()) })).toEqual({
    data: [1, 2, '[hidden]', 3],
    by: { 0: 1, 1: 2, 2: '[hidden]', 28: 3 },
  });
  expect(inText(`<Buffer 01 ${bytes(FIELDS.key).toString('hex').match(/../g)?.join(' ')} 02>`)).toBe(
    '<Buffer 01 [hidden] 02>',
  );
  expect(inText(`[1, ${bytes(FIELDS.key).join(', ')}, 2]`)).toBe('[1, [hidden], 2]');
});

test('a quote of a value that an error cuts is hidden', () => {
  let thrown: unknown;
  try {
    JSON.parse(FIELDS.key);
  } catch (error) {
    thrown = error;
  }
  expectNothing(runErrorOf(thrown, hidden().inText));
});

describe('ordinary data stays as it is', () => {
  const { inJson, inText } = hidden();
  test.each([
    ['checksums', 'da39a3ee5e6b4b0d3255bfef95601890afd80709'],
    ['parts of a value', [...bytes(FIELDS.key.slice(0, 9))]],
    ['the bytes of fewer than six characters', bytes('CANAR').toString('hex')],
    ['lists of numbers', Array.from({ length: 500 }, (_, index) => index % 256)],
    ['what is cut', 'CANARY is a bird... 100 of them https://www... and more characters'],
    ['keys of others', base64('-----BEGIN CERTIFICATE-----\nMIIC')],
    ['buffers', Buffer.alloc(100, 'abc')],
    ['times', '2026-11-20 20:19:58 10 20 30 40 50 60'],
  ])('%s', (_, value) => {
    expect(inJson(JSON.stringify(value))).toBe(JSON.stringify(value));
    expect(inText(JSON.stringify(value))).toBe(JSON.stringify(value));
    expect(inText(inspect(value))).toBe(inspect(value));
  });
});

test('ids that differ in a credential alone are told apart, and by nothing that shows it', () => {
  const lines = [`${FIELDS.key} 1`, `${FIELDS.password} 1`, `${FIELDS.key} 1`, 'an id', 7].flatMap((id) =>
    emitted(1, { id }),
  );
  const metas = lines.map((line) => line.k === 'emit' && line.meta);
  expect(metas).toEqual([
    ...[0, 1, 2].map(() => ({
      id: '[hidden] 1',
      idHash: expect.stringMatching(/^sha256 [0-9a-f]{64}$/) as string,
    })),
    { id: 'an id' },
    { id: 7 },
  ]);
  const [one, two, again] = metas.map((meta) => meta && meta.idHash);
  expect(one).toBe(again);
  expect(one).not.toBe(two);
});

describe('hostile text is read in time', () => {
  const { inJson, inText } = hidden();
  test.each([
    ['backslashes', '\\'.repeat(500_000)],
    ['quotes', '\\"'.repeat(300_000)],
    ['digits', 'deadbeef01'.repeat(100_000)],
    ['pairs', 'de ad '.repeat(150_000)],
    ['numbers', '1,22,3,444,5,6666,'.repeat(50_000)],
    ['blanks', `1,${' '.repeat(1_000_000)}`],
    ['groups of blanks', `1,${' '.repeat(39)}`.repeat(25_000)],
    ['indexes', '"1":1,'.repeat(150_000)],
    ['indexes in quotes', '""""""""""1""":2,'.repeat(50_000)],
    ['lists before backslashes', `1,2,3,4,5,6${'\\'.repeat(100)}`.repeat(8_000)],
    ['beginnings of values', '-----BCANARY'.repeat(80_000)],
    ['cut ones', 'CANARY... 1 more character'.repeat(40_000)],
    ['signs of addresses', '%25'.repeat(300_000)],
  ])('%s', (_, text) => {
    const begun = performance.now();
    inJson(JSON.stringify(text));
    inText(text);
    expect(performance.now() - begun).toBeLessThan(3_000);
  });
});

test('ids of which credentials are hidden are as different to dedupe as they were', () => {
  const { key, password } = FIELDS;
  const ids = [key, password, key, '[hidden]'];
  const emits = ids.flatMap((id) => emitted(1, { id })).filter((line) => line.k === 'emit');
  const outcome = outcomeOf({
    context: { runId: 'run', originalEvent: '{}' } as FinishedRun['context'],
    traits: { dedupe: 'unique' },
    result: { state: 'ended', emits, errors: [], logs: [], ms: 1 },
    dedupe: NOTHING_REMEMBERED,
    now: 1,
  });
  expect(outcome.events.map(({ ownId }) => ownId)).toEqual(['[hidden]', '[hidden]', '[hidden]']);
  expect(JSON.stringify(outcome)).not.toContain('sha256');
});
