import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { emitter } from '../../../../../shared/runtime/emit.ts';
import { logText } from '../../../../../shared/runtime/logs.ts';
import { responseOf } from '../../../../../shared/runtime/respond.ts';
import { runErrorOf } from '../../../../../shared/runtime/thrown.ts';
import type { RunnerLine } from '../../../../../shared/domain/run/run.ts';
import { defaultLimits } from '../../../../../shared/domain/run-limits.ts';
import { redactLine } from '../../../../../shared/runtime/redaction/redact-line.ts';
import { Redactor } from '../../../../../shared/runtime/redaction/redactor.ts';

/**
 * Each form that docs/isolation.md names is redacted on every way out of a child. The outputs are decoded and searched,
 * too.
 */

const FIELDS = {
  key: 'CANARY-apikey-9f8e7d6c5b4a',
  password: 'CANARY p"w\\d\\\\&<>é/🙂',
  lines: '-----BEGIN KEY-----\nCANARYMIIEvQIBADANBgkqhkiG9w0BA\nVJTUt9Us8cKjMzEfYCANARY4R4/M+=\n-----END KEY-----\n',
  long: `L0ng${'CANARYx9'.repeat(300)}`,
  quoted: `"\\n${'CANARY\n"'.repeat(5)}`,
};
type Fields = typeof FIELDS;

const base64 = (text: string) => Buffer.from(text).toString('base64');
const nested = (value: unknown, times: number): string =>
  JSON.stringify(times === 1 ? value : nested(value, times - 1));
const ascii = (text: string) =>
  text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const each = (map: (value: string) => unknown) => (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, map(value)]));

const FORMS: [string, (fields: Fields) => unknown][] = [
  ['its exact form', (fields) => fields],
  ['its exact form after a backslash', each((value) => `DOMAIN\\${value}`)],
  ['its exact form after a percent sign', each((value) => `100%${value}`)],
  ['JSON', (fields) => JSON.stringify(fields)],
  ['JSON of ASCII alone', (fields) => ascii(JSON.stringify(fields))],
  ['JSON with optional escapes', (fields) => JSON.stringify(fields).replaceAll('/', '\\/').replaceAll('&', '\\u0026')],
  ...[2, 3, 4, 5, 6].map((times): [string, (fields: Fields) => unknown] => [
    `JSON ${times} deep`,
    (fields) => nested(fields, times),
  ]),
  ['what the console shows', (fields) => inspect({ fields: { ...fields }, list: Object.values(fields) })],
  ['an address', each((value) => `https://host/?q=${encodeURIComponent(value)}&b=1`)],
  [
    'an address in lower case',
    each((value) => encodeURIComponent(value).replace(/%../g, (escape) => escape.toLowerCase())),
  ],
  ['an address in an address', each((value) => encodeURIComponent(encodeURIComponent(value)))],
  ['a form', (fields) => new URLSearchParams(fields).toString()],
  ['JSON in an address', (fields) => encodeURIComponent(JSON.stringify(fields))],
  ['Base64', each(base64)],
  ['Base64 for addresses', each((value) => Buffer.from(value).toString('base64url'))],
  ['Base64 in an address', each((value) => encodeURIComponent(base64(value)))],
  ['JSON in Base64', (fields) => base64(JSON.stringify(fields))],
  ['JSON in Base64 for addresses', (fields) => Buffer.from(JSON.stringify(fields)).toString('base64url')],
  ['JSON in JSON in Base64', (fields) => base64(nested(fields, 2))],
  ['JSON of one field in Base64', each((value) => base64(JSON.stringify({ value })))],
  ['a name and password in Base64', each((value) => base64(`user:${value}`))],
  ['a form in Base64', (fields) => base64(new URLSearchParams(fields).toString())],
  ['an address in Base64', each((value) => base64(`https://host/?q=${encodeURIComponent(value)}`))],
];

const redactor = new Redactor(new Set(Object.values(FIELDS)));
const inLog = (text: string) => redactor.inText(text);

function decodings(text: string): string[] {
  const all = [text];
  for (const [row] of text.matchAll(/[\w+/-]{8,}/g))
    for (const from of [0, 1, 2, 3]) all.push(Buffer.from(row.slice(from), 'base64').toString());
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

/** The lines that one emit writes. */
function emitted(event: unknown, meta?: unknown): RunnerLine[] {
  const lines: RunnerLine[] = [];
  const write = (line: RunnerLine) => void lines.push(line);
  emitter({ job: 'j', limits: defaultLimits, write, redactor })(event, meta);
  return lines;
}

describe.each(FORMS)('a credential is redacted in %s', (_, encode) => {
  const value = encode(FIELDS);
  const texts = typeof value === 'string' ? [value] : Object.values(Object(value) as Record<string, string>);

  test('in events, their ids and summaries', () => {
    expectNothing(emitted({ value }));
    for (const text of texts) expectNothing(emitted(1, { id: text, summary: text })[0]);
  });

  test('in logs', () => {
    for (const format of [[value], [{ value }], ['%s %o', value, value], [[[[[value]]]]], [inspect(value)]]) {
      const text = logText(format, inLog);
      if (!text.includes('[Array]') && !text.includes('[Object]')) expectNothing(text);
    }
  });

  test('in errors', () => {
    for (const text of texts) {
      expectNothing(runErrorOf(text, inLog));
      expectNothing(runErrorOf(Object.assign(new Error(text), { code: text }), inLog));
    }
  });

  test('in responses', () => {
    for (const body of [...texts, value, ...texts.map((text) => Buffer.from(text))]) {
      const headers = typeof body === 'string' && /^[ -~]*$/.test(body) ? { 'x-a': body } : {};
      const { response } = responseOf({ status: 200, headers, body });
      const line = redactLine({ k: 'respond', job: 'j', ...response }, redactor);
      if (line.k !== 'respond') throw new Error('another line');
      const shown = line.base64 ? Buffer.from(line.body, 'base64').toString('latin1') : line.body;
      expectNothing({ headers: line.headers, shown });
    }
  });
});

test('JSON in text stays JSON, and what surrounds a credential stays', () => {
  const { password, lines } = FIELDS;
  for (const value of [
    { password, lines },
    { list: [`a ${password}`, 1], lines: `x${lines}y` },
  ])
    for (const text of [JSON.stringify(value), nested(value, 3)]) {
      let shown: unknown = redactor.inText(text);
      while (typeof shown === 'string') shown = JSON.parse(shown);
      const expected = JSON.stringify(value)
        .replaceAll(JSON.stringify(password).slice(1, -1), '[hidden]')
        .replaceAll(JSON.stringify(lines).slice(1, -1), '[hidden]');
      expect(shown).toEqual(JSON.parse(expected));
    }
});

describe('ordinary data stays as it is', () => {
  test.each([
    ['checksums', 'da39a3ee5e6b4b0d3255bfef95601890afd80709'],
    ['beginnings of a value', FIELDS.key.slice(0, 20)],
    ['single short lines of a value', 'M+='],
    ['keys of others', base64('-----BEGIN CERTIFICATE-----\nMIIC')],
    ['addresses', 'https://host/a%20b?c=%7B%22d%22%3A1%7D&e=f+g%25'],
    ['JSON in JSON', nested({ a: 'C:\\temp\\new "x"\n' }, 3)],
    ['paths', 'C:\\temp\\u00zz\\%41'],
    ['buffers', Buffer.alloc(100, 'abc')],
  ])('%s', (_, value) => {
    expect(redactor.inJson(JSON.stringify(value))).toBe(JSON.stringify(value));
    expect(redactor.inText(JSON.stringify(value))).toBe(JSON.stringify(value));
    expect(redactor.inText(inspect(value))).toBe(inspect(value));
  });
});

describe('the work grows with the text, and no faster', () => {
  const WORST_CASES: [string, string][] = [
    ['backslashes', '\\'],
    ['escaped quotes', '\\"'],
    ['unfinished unicode escapes', '\\u00'],
    ['unfinished sums of lines', "\\n' +      "],
    ['percent signs', '%'],
    ['encoded percent signs', '%25'],
    ['encoded backslashes', '%5C'],
    ['beginnings of characters', '%C3%A9%80%80'],
    ['spaces of a form', '+'],
    ['beginnings of values', '-----BEGIN CANARY-apike'],
    ['values', `CANARY-apikey-9f8e7d6c5b4a\\"`],
  ];

  const { exec } = RegExp.prototype;

  /** Number of executed expressions, and their sources. */
  function executions(text: string): { count: number; sources: Set<string> } {
    const sources = new Set<string>();
    // Compiled before it is counted.
    redactor.inText('');
    let count = 0;
    RegExp.prototype.exec = function (this: RegExp, input) {
      count += 1;
      sources.add(this.source);
      return exec.call(this, input);
    };
    try {
      redactor.inText(text);
      redactor.inJson(JSON.stringify(text));
    } finally {
      RegExp.prototype.exec = exec;
    }
    return { count, sources };
  }

  test.each(WORST_CASES)('%s, a million of them', (_, unit) => {
    const text = unit.repeat(1_000_000 / unit.length);
    const shown = redactor.inText(text);
    expect(shown === text).toBe(!text.includes(FIELDS.key));
  });

  test.each(WORST_CASES)('%s', (_, unit) => {
    const [once, twice] = [executions(unit.repeat(2_000)), executions(unit.repeat(4_000))];
    expect(twice.count).toBeLessThan(2 * once.count + 100);
    // An expression without an unbounded repetition reads a bounded number of characters from each place.
    for (const source of once.sources) expect(source.replace(/\\.|\[[^\]]+\]/g, '')).not.toMatch(/[*+]|,\}/);
  });
});
