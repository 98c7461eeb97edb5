import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { emitter } from '../../../../../shared/runtime/emit.ts';
import { type FinishedRun, outcomeOf } from '../../../../../shared/service/runs/run-outcome.ts';
import { logText } from '../../../../../shared/runtime/logs.ts';
import { runErrorOf } from '../../../../../shared/runtime/thrown.ts';
import { NOTHING_REMEMBERED } from '../../../../../shared/domain/event/dedupe.ts';
import type { RunnerLine } from '../../../../../shared/domain/run/run.ts';
import { defaultLimits } from '../../../../../shared/domain/run-limits.ts';
import { Redactor } from '../../../../../shared/runtime/redaction/redactor.ts';

/** Tests the redacted values of each output. forms.test.ts tests the forms of a value. */

const TOKEN = 'tok "en" \\ é/&7d1';
const LINES = 'first\nsecond one\nand the third of them';
const TEAM = 'T024BE7LD';
const PIN = '4711';

const redactor = new Redactor(new Set([TOKEN, LINES, PIN, '90210777']));
const inLog = (text: string) => redactor.inText(text);

describe('in logs and errors', () => {
  test('every credential is redacted', () => {
    expect(inLog(`${TOKEN}, ${LINES}, ${TEAM}, 90210777`)).toBe(`[hidden], [hidden], ${TEAM}, [hidden]`);
  });

  test('each longer line of a value is redacted where it stands alone', () => {
    expect(inLog('the third is: and the third of them, the second is: second one')).toBe(
      'the third is: [hidden], the second is: second one',
    );
  });

  test('a value of several lines is redacted as the console shows it', () => {
    const value = 'short line\n'.repeat(9);
    const lines = new Redactor(new Set([value]));
    const text = inspect({ fields: { value } });
    expect(text).toContain("' +\n");
    expect(lines.inText(text)).toMatch(/value: '\[hidden\]'\s/);
  });

  test('the longer of two values with the same prefix is redacted', () => {
    const alike = new Redactor(new Set(['abcdefgh', 'abcdefgh-ijklmnop']));
    expect(alike.inText('abcdefgh-ijklmnop abcdefgh-ijk')).toBe('[hidden] [hidden]-ijk');
  });

  test('a short value is redacted where it stands alone, and ordinary text stays', () => {
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
      expect(inLog(text)).toBe(shown);
  });

  test('a short value that is a whole argument or message is redacted', () => {
    expect(logText(['the pin is', PIN, 3], inLog)).toBe('the pin is [hidden] 3');
    class Refusal extends Error {
      override name = 'Refusal';
    }
    for (const thrown of [PIN, new Error(PIN), new Refusal(PIN), new Error('x', { cause: new Error(PIN) })])
      expect(JSON.stringify(runErrorOf(thrown, inLog))).not.toContain(PIN);
  });

  test('a value is redacted before a line is cut', () => {
    const line = logText(['x'.repeat(4090) + TOKEN], inLog);
    expect([line.length, line.slice(4088)]).toEqual([4096, 'xx[hidde']);
  });
});

describe('in events and responses', () => {
  const all = { TOKEN, TEAM, PIN, n: 90210777, pin: 4711, list: [LINES], [TOKEN]: 1 };
  const shown = {
    ...{ TOKEN: '[hidden]', TEAM, PIN: '[hidden]', n: '[hidden]', pin: '[hidden]' },
    ...{ list: ['[hidden]'], '[hidden]': 1 },
  };

  test('credentials are redacted, and other values stay', () => {
    expect(redactor.inValue(all)).toEqual(shown);
    expect(JSON.parse(redactor.inJson(JSON.stringify(all)))).toEqual(shown);
    expect(redactor.inText(`${TEAM}: ${TOKEN}`)).toBe(`${TEAM}: [hidden]`);
  });

  test('JSON in JSON is redacted and stays JSON', () => {
    const value = { TOKEN, PIN, list: [LINES], [TOKEN]: 4711 };
    const json = redactor.inJson(JSON.stringify({ own: JSON.stringify({ own: JSON.stringify(value) }) }));
    const inner = (text: string) => (JSON.parse(text) as { own: string }).own;
    expect(JSON.parse(inner(inner(json)))).toEqual({
      ...{ TOKEN: '[hidden]', PIN: '[hidden]', list: ['[hidden]'] },
      // A number within a text may be any number.
      '[hidden]': 4711,
    });
  });

  test('ordinary data stays as it is, to the letter', () => {
    for (const json of ['{"a":14711,"b":"order 4711","c":12345678901234567890,"d":1.0}', '[1,2,"T024"]'])
      expect(redactor.inJson(json)).toBe(json);
  });

  test('JSON that is nested too deeply to read is redacted as a whole', () => {
    const deep = `${'['.repeat(100_000)}${JSON.stringify(TOKEN)}${']'.repeat(100_000)}`;
    expect(redactor.inJson(deep)).toBe('"[hidden]"');
  });

  test('everything stays when there is nothing to redact', () => {
    const none = new Redactor(new Set());
    expect([none.inValue(all), none.inJson('[1.0]'), none.inText('x'), none.inText('%41')]).toEqual([
      all,
      '[1.0]',
      'x',
      '%41',
    ]);
  });
});

test('Base64 is recognised from ten bytes on, wherever the value begins', () => {
  const value = 'ten_bytes!';
  const ten = new Redactor(new Set([value]));
  for (const before of ['', 'a', 'ab', 'abc'])
    for (const encoding of ['base64', 'base64url'] as const)
      expect(ten.inText(Buffer.from(`${before}${value}z`).toString(encoding))).toContain('[hidden]');
});

test('an exact value is redacted whatever stands before and after it', () => {
  for (const value of ['ab12cd34', 'n3w-token', 'u00e9-token', 'token-12%', 'token-12\\', '/"token"', '25token-12'])
    for (const before of ['', '\\', '%', '%2', '%25', '%5', '\\u00', 'x+'])
      for (const after of ['', 'ab', '25', 'n', '"', '\\', 'u0041', '+']) {
        const one = new Redactor(new Set([value]));
        expect(one.inText(`x "y" %41 ${before}${value}${after}`)).not.toContain(value);
      }
});

test('Base64 with signs that an address encodes is redacted there, too', () => {
  const value = '~~~???>>>~~~???>>>';
  const one = new Redactor(new Set([value]));
  const base64 = Buffer.from(value).toString('base64');
  expect(base64).toMatch(/\+.*\//);
  expect(one.inText(`https://host/?q=${encodeURIComponent(base64)}`)).toBe('https://host/?q=[hidden]');
});

test('a value of 64 KB is redacted, whatever characters it has', () => {
  for (const value of ['"\n/é\\'.repeat(13_000), 'abc "def" '.repeat(6_500)]) {
    const large = new Redactor(new Set([value]));
    for (const text of [value, JSON.stringify({ value }), encodeURIComponent(value)])
      expect(large.inText(`x${text}y`).length).toBeLessThan(30);
    expect(large.inText(Buffer.from(value).toString('base64'))).toMatch(/^\[hidden\].{0,4}$/);
  }
});

describe('an id of an event', () => {
  const emitsOf = (ids: unknown[]) => {
    const lines: RunnerLine[] = [];
    const emit = emitter({
      job: 'j',
      limits: defaultLimits,
      write: (line) => void lines.push(line),
      redactor,
    });
    for (const id of ids) emit(1, { id });
    return lines.filter((line) => line.k === 'emit');
  };

  test('that differs from another in a credential alone gets a different hash', () => {
    const metas = emitsOf([`${TOKEN} 1`, `${LINES} 1`, `${TOKEN} 1`, 'an id', 7]).map(({ meta }) => meta);
    expect(metas).toEqual([
      ...[0, 1, 2].map(() => ({
        id: '[hidden] 1',
        idHash: expect.stringMatching(/^sha256 [0-9a-f]{64}$/) as string,
      })),
      { id: 'an id' },
      { id: 7 },
    ]);
    const [one, two, again] = metas.map(({ idHash }) => idHash);
    expect(one).toBe(again);
    expect(one).not.toBe(two);
  });

  test('is as different for deduplication as it was before it was redacted, and the hash is not shown', () => {
    const outcome = outcomeOf({
      context: { runId: 'run', originalEvent: () => '{}' } as FinishedRun['context'],
      traits: { dedupe: 'unique' },
      result: {
        state: 'ended',
        emits: emitsOf([TOKEN, LINES, TOKEN, '[hidden]']),
        errors: [],
        logs: [],
        ms: 1,
      },
      dedupe: NOTHING_REMEMBERED,
      now: 1,
    });
    expect(outcome.events.map(({ ownId }) => ownId)).toEqual(['[hidden]', '[hidden]', '[hidden]']);
    expect(JSON.stringify(outcome)).not.toContain('sha256');
  });
});
