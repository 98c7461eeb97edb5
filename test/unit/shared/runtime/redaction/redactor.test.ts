import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { logText } from '../../../../../shared/runtime/logs.ts';
import { Outside } from '../../../../../shared/runtime/redaction/public-values.ts';
import { hiding } from '../../../../../shared/runtime/redaction/redactor.ts';
import { shownLine } from '../../../../../shared/runtime/redaction/redact-line.ts';
import { runErrorOf } from '../../../../../shared/runtime/thrown.ts';

const TOKEN = 'tok "en" \\ é/&7d1';
const LINES = 'first\nsecond one\nand the third of them';
const UID = 'U4081';
const TEAM = 'T024BE7LD';
const MAIL = 'ann+x@acme.example';
const PIN = '4711';

/** With some of it said by the outside. */
function about(...said: string[]) {
  const outside = new Outside();
  const others = new Set([TEAM, MAIL, PIN, UID, '40812345']);
  outside.waitFor(others);
  for (const text of said) outside.hear(text);
  return { outside, ...hiding({ credentials: new Set([TOKEN, LINES, '90210777']), others }, outside) };
}

const SPELLINGS: [string, (value: string) => string][] = [
  ['as it is', (value) => value],
  ['in JSON', (value) => JSON.stringify({ value })],
  ['twice in JSON', (value) => JSON.stringify(JSON.stringify({ value }))],
  ['as JSON of ASCII alone', (value) => JSON.stringify({ value }).replace(/[^ -~]/g, unicode)],
  [
    'with escaped slashes',
    (value) => JSON.stringify(value).replaceAll('/', '\\/').replaceAll('&', '\\u0026'),
  ],
  ['as the console shows it', (value) => inspect({ list: [value, value.repeat(9)] })],
  ['in an address', (value) => `https://host/?q=${encodeURIComponent(value)}`],
  ['in a form', (value) => new URLSearchParams({ value }).toString()],
  ['in XML', (value) => `<a>${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}</a>`],
  ['as bytes', (value) => Buffer.from(value).toString('latin1')],
];
const unicode = (one: string) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;

describe('in logs and errors', () => {
  test.each(SPELLINGS)('a value is hidden %s', (_, spell) => {
    const { inText } = about(TEAM, MAIL);
    for (const value of [TOKEN, LINES, TEAM, MAIL]) {
      const shown = inText(`x ${spell(value)} y`);
      expect(shown).toContain('[hidden]');
      // No part of it is left that says anything.
      for (const part of value.split(/[^a-zA-Z0-9]+/).filter(({ length }) => length > 3))
        expect(shown).not.toContain(part);
    }
  });

  test('a value is hidden within Base64', () => {
    const { inText } = about();
    for (const user of ['', 'u', 'us', 'use'])
      expect(inText(Buffer.from(`${user}:${TOKEN}`).toString('base64'))).toContain('[hidden]');
  });

  test('a short value is hidden where it stands by itself, and ordinary text is left alone', () => {
    const { inText } = about();
    for (const [text, shown] of [
      ['4711', '[hidden]'],
      ["{ pin: '4711' }", "{ pin: '[hidden]' }"],
      ['{"pin":"4711","n":4711}', '{"pin":"[hidden]","n":4711}'],
      [String.raw`"{\"pin\":\"4711\"}"`, String.raw`"{\"pin\":\"[hidden]\"}"`],
      ['`4711`', '`[hidden]`'],
      ['%7B%22pin%22%3A%224711%22%7D', '%7B%22pin%22%3A%22[hidden]%22%7D'],
      ['TypeError: 4711\n    at run', 'TypeError: [hidden]\n    at run'],
      ['order 4711 of 14711', 'order 4711 of 14711'],
      ['a "x4711" b', 'a "x4711" b'],
    ] as const)
      expect(inText(text)).toBe(shown);
  });

  test('a short value that is all of an argument or a message is hidden', () => {
    const { inText } = about();
    expect(logText(['the pin is', PIN, 3], inText)).toBe('the pin is [hidden] 3');
    class Refusal extends Error {
      override name = 'Refusal';
    }
    for (const thrown of [PIN, new Error(PIN), new Refusal(PIN), new Error('x', { cause: new Error(PIN) })])
      expect(JSON.stringify(runErrorOf(thrown, inText))).not.toContain(PIN);
  });
});

describe('in events and answers', () => {
  const all = { TOKEN, TEAM, MAIL, PIN, UID, n: 90210777, uid: 40812345, list: [LINES], [TEAM]: 1 };

  test('every value is hidden that the outside has not said', () => {
    const { inJson } = about();
    const hidden = '[hidden]';
    expect(JSON.parse(inJson(JSON.stringify(all)))).toEqual({
      ...{ TOKEN: hidden, TEAM: hidden, MAIL: hidden, PIN: hidden, UID: hidden },
      ...{ n: hidden, uid: hidden, list: [hidden], [hidden]: 1 },
    });
    for (const value of [all, [all], JSON.stringify(all), JSON.stringify({ all: JSON.stringify(all) })]) {
      const shown = JSON.stringify(about().inEvent(value));
      for (const one of [TEAM, MAIL, '"4711', UID, '40812345', 'second']) expect(shown).not.toContain(one);
    }
  });

  test.each(SPELLINGS)('what the outside has said %s is shown, but no credential', (_, spell) => {
    const { inEvent } = about(`GET ${spell(TEAM)} ${spell(MAIL)} ${spell(TOKEN)}`, `"${UID}" 4711, 40812345`);
    expect(inEvent(all)).toEqual({ ...all, TOKEN: '[hidden]', n: '[hidden]', list: ['[hidden]'] });
    expect(inEvent(`${TEAM}: ${TOKEN}`)).toBe(`${TEAM}: [hidden]`);
  });

  test('what the outside said in Base64 is shown', () => {
    expect(about(Buffer.from(`{"m":"${MAIL}"}`).toString('base64')).inEvent(MAIL)).toBe(MAIL);
  });

  test('of a short value only a word of its own counts as said', () => {
    expect(about('14711', 'x4711', '4711y').inEvent(PIN)).toBe('[hidden]');
    for (const text of ['4711', '{"a":4711}', 'a\\n4711', 'q=%204711&'])
      expect(about(text).inEvent(PIN)).toBe(PIN);
  });

  test('what is said later counts from then on', () => {
    const { outside, inEvent } = about();
    expect(inEvent(TEAM)).toBe('[hidden]');
    outside.hear(`"${TEAM}"`);
    expect(inEvent(TEAM)).toBe(TEAM);
  });

  test('ordinary data stays as it is, to the letter', () => {
    const { inJson } = about();
    for (const json of ['{"a":14711,"b":"order 4711","c":12345678901234567890,"d":1.0}', '[1,2,"U40"]'])
      expect(inJson(json)).toBe(json);
  });

  test('what nobody can follow is hidden as a whole', () => {
    const deep = `${'['.repeat(100_000)}"${TEAM}"${']'.repeat(100_000)}`;
    expect(about().inJson(deep)).toBe('"[hidden]"');
  });

  test('nothing is done where there is nothing to hide', () => {
    const outside = new Outside();
    const { inEvent, inJson, inText } = hiding({ credentials: new Set(), others: new Set() }, outside);
    expect([inEvent(all), inJson('[]'), inText('x')]).toEqual([all, '[]', 'x']);
    expect(outside.isListening).toBe(false);
  });
});

describe('an answer', () => {
  const respond = (body: string, more: object = {}) =>
    shownLine(
      {
        k: 'respond',
        job: 'body',
        status: 200,
        headers: { 'x-a': TEAM },
        body,
        base64: false,
        ...more,
      },
      about(),
    );

  test('is hidden in its body, headers and cookies, and stays an answer', () => {
    expect(respond(JSON.stringify({ PIN }), { cookies: [`a=${MAIL}`] })).toEqual({
      ...{ k: 'respond', job: 'body', status: 200, headers: { 'x-a': '[hidden]' }, base64: false },
      ...{ body: '{"PIN":"[hidden]"}', cookies: ['a=[hidden]'] },
    });
    expect(respond('{ not JSON "4711"')).toMatchObject({ body: '{ not JSON "[hidden]"' });
  });

  test('is hidden in its bytes, which otherwise stay what they are', () => {
    const bytes = Buffer.from([0, 255, 128, 10, 13]);
    const body = (...parts: (string | Buffer)[]) =>
      Buffer.concat(parts.map((part) => Buffer.from(part as string))).toString('base64');
    expect(respond(body(bytes, TOKEN, bytes), { base64: true })).toMatchObject({
      body: body(bytes, '[hidden]', bytes),
    });
    expect(respond(body(bytes), { base64: true })).toMatchObject({ body: body(bytes) });
  });

  test('that lists options or props keeps what we must read in it', () => {
    const { inEvent, ...hide } = about();
    const options = shownLine(
      { k: 'options', job: 'j', options: [{ label: TEAM, value: PIN }], context: { next: MAIL } },
      { ...hide, inEvent },
    );
    expect(options).toMatchObject({
      options: [{ label: '[hidden]', value: '[hidden]' }],
      context: { next: '[hidden]' },
    });
    const named = hiding(
      { credentials: new Set(['the token']), others: new Set(['type', 'slack', 'string', 'size']) },
      new Outside(),
    );
    const prop = {
      name: 'size',
      type: 'string',
      app: 'slack',
      label: 'string',
      default: ['size', 'the token'],
      options: ['size', 'the token'],
    };
    expect(shownLine({ k: 'props', job: 'j', props: [prop] }, named)).toEqual({
      ...{ k: 'props', job: 'j' },
      props: [
        {
          ...{ name: 'size', type: 'string', app: 'slack', label: '[hidden]' },
          options: ['[hidden]', '[hidden]'],
        },
      ],
    });
  });

  test('that lists props has no default or limit that is hidden, and any other as it is', () => {
    const props = [
      { name: 'a', type: 'integer', default: 90210777, min: 90210777, max: 7, label: 'One' },
      { name: 'b', type: '$.interface.timer', default: { cron: '* * * * *', timezone: TOKEN } },
      { name: 'c', type: 'string', default: 'fine', optional: true },
    ];
    expect(shownLine({ k: 'props', job: 'j', props }, about())).toMatchObject({
      props: [
        { name: 'a', type: 'integer', max: 7, label: 'One' },
        { name: 'b', type: '$.interface.timer' },
        props[2],
      ],
    });
    const shown = JSON.stringify(shownLine({ k: 'props', job: 'j', props }, about()));
    for (const word of ['"min"', 'timezone', '[hidden]']) expect(shown).not.toContain(word);
  });
});
