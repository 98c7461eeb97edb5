import { expect, test, vi } from 'vitest';
import { QuotedSize } from '../../../../../shared/service/runs/quoted-size.ts';

const quoted = (texts: readonly string[]) =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(JSON.stringify(text)), 0);

test.each([
  ['plain text', '{"a":"xxxxxxxx"}'],
  ['quotes in quotes', JSON.stringify({ a: '"\\"' })],
  ['characters of three bytes', '{"a":"€€€€€€"}'],
  ['white space', '{\n\t"a": 1\n}'],
])('the size of %s is exact at the limit', (_, json) => {
  const texts = [json, json, json];
  const size = new QuotedSize();
  for (const text of texts) size.add(text);
  expect([size.exceeds(quoted(texts)), size.exceeds(quoted(texts) - 1)]).toEqual([false, true]);
  size.add('{}');
  expect([size.exceeds(quoted([...texts, '{}'])), size.exceeds(quoted(texts))]).toEqual([false, true]);
});

test('texts that fit by their length are not measured', () => {
  const measured = vi.spyOn(Buffer, 'byteLength');
  const size = new QuotedSize();
  for (let n = 0; n < 10; n += 1) size.add('x'.repeat(100_000));
  expect(size.exceeds(3_000_000)).toBe(false);
  expect(measured).not.toHaveBeenCalled();
});
