import { expect, test, vi } from 'vitest';
import { LineReader } from '../../../../shared/lib/line-reader.ts';

const piecesOf = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size));

test('a line is complete with its newline, wherever the chunks end, in a character too', () => {
  const bytes = Buffer.from('{"a":"ü€😀"}\n\nthird\nlast');
  for (let size = 1; size <= bytes.length; size += 1) {
    const reader = new LineReader();
    const lines = piecesOf(bytes, size).flatMap((piece) => reader.push(piece));
    expect(lines, `chunks of ${size}`).toEqual(['{"a":"ü€😀"}', '', 'third']);
    expect(reader.pending).toBe('last'.length);
    expect(reader.end()).toEqual(['last']);
    expect([reader.pending, reader.end()]).toEqual([0, []]);
  }
});

test('a line keeps its newline on request', () => {
  const reader = new LineReader({ keepsNewline: true });
  const lines = ['first\n\nthi', 'rd\nlast'].flatMap((text) => reader.push(Buffer.from(text)));
  expect(lines).toEqual(['first\n', '\n', 'third\n']);
  expect(reader.end()).toEqual(['last']);
});

test('pending bytes that were taken are not changed by the next line', () => {
  const reader = new LineReader();
  reader.push(Buffer.from('first'));
  const taken = reader.takePending();
  expect(reader.push(Buffer.from('2nd\nthird'))).toEqual(['2nd']);
  expect([String(taken), reader.pending]).toEqual(['first', 5]);
});

test('a chunk may be used again after its lines were read', () => {
  const reader = new LineReader();
  const chunk = Buffer.from('pend');
  reader.push(chunk);
  chunk.fill('x');
  expect(reader.push(Buffer.from('ing\n'))).toEqual(['pending']);
});

test('a line costs work that is linear in its bytes, however many chunks it has', () => {
  const CHUNKS = 1_000;
  const chunk = Buffer.alloc(1_000, 'x');
  const copy = vi.spyOn(Buffer.prototype, 'copy');
  const reader = new LineReader();
  for (let n = 0; n < CHUNKS; n += 1) reader.push(chunk);
  const lines = reader.push(Buffer.from('\n'));
  const copied = copy.mock.results.reduce((sum, { value }) => sum + Number(value), 0);
  vi.restoreAllMocks();
  expect(lines.map(({ length }) => length)).toEqual([CHUNKS * chunk.length]);
  expect(copied).toBeLessThanOrEqual(3 * CHUNKS * chunk.length);
});
