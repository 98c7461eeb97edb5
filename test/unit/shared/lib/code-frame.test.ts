import { expect, test } from 'vitest';
import { codeFrame } from '../../../../shared/lib/code-frame.ts';

test('a frame shows the line without its indentation, and a caret below the column', () => {
  expect(codeFrame('      const y = event.body.x;', 27)).toBe(
    '    const y = event.body.x;\n                         ^',
  );
});

test('a long line is shown around the column', () => {
  const frame = codeFrame(`${'a'.repeat(1000)}X${'b'.repeat(1000)}`, 1000) ?? '';
  const [line = '', caret = ''] = frame.split('\n');
  expect(line.length).toBeLessThan(130);
  expect(line[caret.indexOf('^')]).toBe('X');
});

test.each([
  ['a column beyond the line', 'abc', 99, '    abc\n       ^'],
  ['a column that is no number', 'abc', Number.NaN, '    abc\n    ^'],
  ['a column in the indentation', '   abc', 1, '    abc\n    ^'],
  ['control characters', 'a\u001b[1mb\r', 5, '    a [1mb\n         ^'],
])('%s', (_, line, column, frame) => {
  expect(codeFrame(line, column)).toBe(frame);
});

test('an empty line has no frame', () => {
  expect(codeFrame('   ', 1)).toBeUndefined();
});
