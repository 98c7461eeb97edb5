import { describe, expect, test } from 'vitest';
import { redactLine } from '../../../../../shared/runtime/redaction/redact-line.ts';
import { Redactor } from '../../../../../shared/runtime/redaction/redactor.ts';

const TOKEN = 'tok "en" \\ é/&7d1';
const TEAM = 'T024BE7LD';
const PIN = '4711';

const redactor = new Redactor(new Set([TOKEN, PIN, '90210777']));

describe('a response', () => {
  const respond = (body: string, more: object = {}) => {
    const headers = { 'x-team': TEAM, 'x-token': encodeURIComponent(TOKEN) };
    return redactLine({ k: 'respond', job: 'j', status: 200, headers, body, base64: false, ...more }, redactor);
  };

  test('is redacted in its body, headers and cookies, and stays a response', () => {
    expect(respond(JSON.stringify({ PIN, TEAM }), { cookies: [`a=${TOKEN}`] })).toEqual({
      ...{ k: 'respond', job: 'j', status: 200, base64: false },
      headers: { 'x-team': TEAM, 'x-token': '[hidden]' },
      body: `{"PIN":"[hidden]","TEAM":"${TEAM}"}`,
      cookies: ['a=[hidden]'],
    });
    expect(respond('{ not JSON "4711"')).toMatchObject({ body: '{ not JSON "[hidden]"' });
  });

  test('is redacted in its bytes, and every other byte stays', () => {
    const bytes = Buffer.from([0, 255, 128, 10, 13]);
    const body = (...parts: (string | Buffer)[]) =>
      Buffer.concat(parts.map((part) => Buffer.from(part as string))).toString('base64');
    for (const form of [TOKEN, JSON.stringify(TOKEN).slice(1, -1)])
      expect(respond(body(bytes, form, bytes), { base64: true })).toMatchObject({
        body: body(bytes, '[hidden]', bytes),
      });
    expect(respond(body(bytes), { base64: true })).toMatchObject({ body: body(bytes) });
  });
});

test('options are redacted, and stay options', () => {
  const options = [{ label: TEAM, value: PIN }];
  expect(redactLine({ k: 'options', job: 'j', options, context: { next: TOKEN } }, redactor)).toEqual({
    ...{ k: 'options', job: 'j' },
    options: [{ label: TEAM, value: '[hidden]' }],
    context: { next: '[hidden]' },
  });
});

describe('props', () => {
  const shown = (...props: { name: string; type: string; [member: string]: unknown }[]) => {
    const line = redactLine({ k: 'props', job: 'j', props }, redactor);
    return line.k === 'props' ? line.props : [];
  };

  test('are redacted, but for their types and app', () => {
    const prop = { name: `a ${TOKEN}`, type: PIN, app: PIN, label: PIN, options: [TOKEN, 'one'] };
    expect(shown(prop)).toEqual([
      { name: 'a [hidden]', type: PIN, app: PIN, label: '[hidden]', options: ['[hidden]', 'one'] },
    ]);
  });

  test('have no default or limit that holds a credential, and keep any other', () => {
    expect(
      shown(
        { name: 'a', type: 'integer', default: 90210777, min: 90210777, max: 7, label: 'One' },
        { name: 'b', type: '$.interface.timer', default: { cron: '* * * * *', timezone: TOKEN } },
        { name: 'c', type: 'string', default: 'fine', optional: true },
      ),
    ).toEqual([
      { name: 'a', type: 'integer', max: 7, label: 'One' },
      { name: 'b', type: '$.interface.timer' },
      { name: 'c', type: 'string', default: 'fine', optional: true },
    ]);
  });
});

test('a line of another kind stays as it is', () => {
  const line = { k: 'emit', job: 'j', json: JSON.stringify(TOKEN), meta: {} } as const;
  expect(redactLine(line, redactor)).toBe(line);
});
