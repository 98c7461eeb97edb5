import { expect, test } from 'vitest';
import { lineText, lineValue } from '../../../../../shared/domain/run/line-text.ts';

test.each([
  { k: 'end', job: '1', ms: 3 },
  { k: 'emit', job: 'a\tb', json: '{"a":"ü€😀\\t\\n"}', meta: { summary: 'tab\there' } },
  { k: 'db', job: '1', json: '{"tab":\t1}' },
])('a line has one newline, at its end, and is read as it was written: %j', (line) => {
  const text = lineText(line);
  expect(text.indexOf('\n')).toBe(text.length - 1);
  expect(lineValue(text)).toEqual(line);
  expect(lineValue(text.trimEnd())).toEqual(line);
});

test('the text of `json` is in the line as it is', () => {
  const json = JSON.stringify({ text: '"quoted" \\ text' });
  expect(lineText({ k: 'emit', json })).toBe(`{"k":"emit"}\t${json}\n`);
});

test('a quoted `json` is read too', () => {
  const line = { k: 'emit', job: '1', json: '{"a":1}', meta: {} };
  expect(lineValue(`${JSON.stringify(line)}\n`)).toEqual(line);
});

test.each(['', '\n', '\t1', 'text', '{"k":\t"emit"}', '{"k":"emit"'])('%j is no line', (text) => {
  expect(() => lineValue(text)).toThrow(SyntaxError);
});

test.each(['1\t2', '"text"\t{}', 'null\t{}', '[]\t{}'])('%j has no member `k`', (text) => {
  expect(lineValue(text)).not.toHaveProperty('k');
});
