import { expect, test, vi } from 'vitest';
import { LineReader } from '../../../../shared/domain/line-reader.ts';

test('a line is complete with its newline, wherever the pieces end', () => {
  const text = 'first\n\nthird\nlast';
  for (let size = 1; size <= text.length; size += 1) {
    const reader = new LineReader();
    const lines: string[] = [];
    for (let at = 0; at < text.length; at += size) lines.push(...reader.push(text.slice(at, at + size)));
    expect(lines, `pieces of ${size}`).toEqual(['first', '', 'third']);
    expect(reader.pending).toBe('last'.length);
    expect(reader.end()).toEqual(['last']);
    expect([reader.pending, reader.end()]).toEqual([0, []]);
  }
});

test('a line keeps its newline on request', () => {
  const reader = new LineReader({ keepsNewline: true });
  expect([...reader.push('first\n\nthi'), ...reader.push('rd\nlast')]).toEqual(['first\n', '\n', 'third\n']);
  expect(reader.end()).toEqual(['last']);
});

test('every character is read once, for any number of pieces of a line', () => {
  const PIECES = 1_000;
  const piece = 'x'.repeat(1_000);
  let looked = 0;
  const { indexOf } = String.prototype;
  vi.spyOn(String.prototype, 'indexOf').mockImplementation(function (this: string, ...args) {
    const found = Reflect.apply(indexOf, this, args);
    looked += (found < 0 ? this.length : found + 1) - (args[1] ?? 0);
    return found;
  });
  const reader = new LineReader();
  const lines: string[] = [];
  for (let n = 0; n < PIECES; n += 1) lines.push(...reader.push(piece));
  lines.push(...reader.push('\n'));
  vi.restoreAllMocks();
  expect(lines.map(({ length }) => length)).toEqual([PIECES * piece.length]);
  expect(looked).toBe(PIECES * piece.length + 1);
});
