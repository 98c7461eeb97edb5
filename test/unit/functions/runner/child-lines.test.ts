import { expect, test, vi } from 'vitest';
import { type ChildLine, ChildLines, decoded } from '../../../../functions/runner/child-lines.ts';
import { lineText } from '../../../../shared/domain/run/line-text.ts';

const emit = (json: string) => lineText({ k: 'emit', job: 'job', json, meta: {} });
const log = (msg: string) => lineText({ k: 'log', job: 'job', level: 'console.log', ts: 1, msg });
const long = JSON.stringify('ü€😀'.repeat(20_000));

const linesOf = (bytes: Buffer, size: number): ChildLine[] => {
  const lines = new ChildLines();
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
    lines.push(Buffer.from(bytes.subarray(n * size, (n + 1) * size))),
  ).flat();
};

test.each([1, 7, 999, 4096, 65_536, 1_000_000])('lines are whole in chunks of %i bytes', (size) => {
  const written = [emit('1'), emit(long), log('x'.repeat(100_000)), emit('2'), emit(long), '\n', emit('3')];
  const lines = linesOf(Buffer.from(written.join('')), size);
  expect(lines.map((line) => decoded(line).text)).toEqual(written);
});

test('a long event is not decoded', () => {
  const written = emit(long);
  const [line] = linesOf(Buffer.from(written), 65_536);
  expect(line?.text).toBe('{"k":"emit","job":"job","meta":{}}\t');
  expect(line?.utf8?.toString()).toBe(written);
});

test.each([
  ['log', log('x'.repeat(100_000))],
  ['db', lineText({ k: 'db', job: 'job', json: long })],
  ['emit with a long id', lineText({ k: 'emit', job: 'job', json: '{', meta: { id: 'x'.repeat(65_000) } })],
  ['emit of 65,535 bytes', emit('x'.repeat(65_535))],
])('a long line %s is text', (_, written) => {
  expect(linesOf(Buffer.from(written), 65_536)).toEqual([{ text: written }]);
});

test('a long event that is not UTF-8 is text: decoded, it has up to three times its bytes', () => {
  const bytes = Buffer.from(emit(`"${'x'.repeat(100_000)}"`));
  bytes.fill(0xff, 1000, 90_000);
  const [line] = linesOf(bytes, 65_536);
  expect(line).toEqual({ text: bytes.toString('utf8') });
});

test.each([
  ['one by one', [1]],
  ['in turn as one and as thousands', [1, 4096]],
])('bytes that come %s take no more than twice their memory', (_, sizes) => {
  const lines = new ChildLines();
  const bytes = Buffer.from(emit(long));
  const allocate = vi.spyOn(Buffer, 'allocUnsafeSlow');
  const concat = vi.spyOn(Buffer, 'concat');
  for (let at = 0, n = 0; at < bytes.length; n += 1) {
    const size = sizes[n % sizes.length] ?? 1;
    lines.push(Buffer.from(bytes.subarray(at, at + size)));
    at += size;
  }
  const blocks = allocate.mock.calls.reduce((sum, [size]) => sum + size, 0);
  expect(concat.mock.calls[0]?.[0].length).toBeLessThan(100);
  vi.restoreAllMocks();
  expect(blocks).toBeLessThan(2 * bytes.length);
});

test('the incomplete line can be dropped', () => {
  const lines = new ChildLines();
  lines.push(Buffer.alloc(70_000, 'x'));
  lines.push(Buffer.alloc(70_000, 'x'));
  expect(lines.pending).toBe(140_000);
  lines.drop();
  expect(lines.pending).toBe(0);
  expect(lines.push(Buffer.from('a\n'))).toEqual([{ text: 'a\n' }]);
});
