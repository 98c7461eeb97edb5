import { expect, test } from 'vitest';
import { lineDiff, responseLines } from '../../../../functions/console/app/pages/webhooks/delivery/line-diff.ts';

const MARKS = { same: ' ', removed: '-', added: '+' };
const diff = (before: string, after: string) =>
  lineDiff(responseLines(before), responseLines(after)).map(({ kind, text }) => `${MARKS[kind]}${text}`);

test('lines that both texts have stay, others are removed and added', () => {
  expect(diff('a\nb\nc', 'a\nx\nc\nd')).toEqual([' a', '-b', '+x', ' c', '+d']);
  expect(diff('', '')).toEqual([' ']);
  expect(diff('a', 'a')).toEqual([' a']);
});

test('JSON is compared by its values', () => {
  expect(diff('{"error":"down","code":7}', '{"error":"busy","code":7}')).toEqual([
    ' {',
    '-  "error": "down",',
    '+  "error": "busy",',
    '   "code": 7',
    ' }',
  ]);
});

test('each text can be read off the difference', () => {
  const [before, after] = ['1\n2\n3\n2\n1', '2\n1\n3\n1\n2\n2'].map((text) => text.split('\n'));
  const lines = lineDiff(before ?? [], after ?? []);
  expect(lines.filter(({ kind }) => kind !== 'added').map(({ text }) => text)).toEqual(before);
  expect(lines.filter(({ kind }) => kind !== 'removed').map(({ text }) => text)).toEqual(after);
});
