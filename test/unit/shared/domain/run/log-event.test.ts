import { expect, test } from 'vitest';
import { logEvent } from '../../../../../shared/domain/run/log-event.ts';

const line = (msg: string) => ({ level: 'console.log', ts: 1, msg });
const linesOf = (json = '') => (JSON.parse(json) as { lines: { msg: string }[] }).lines;

test('the event of a run has its last 100 lines', () => {
  const lines = linesOf(
    logEvent(
      'run',
      Array.from({ length: 150 }, (_, n) => line(`line ${n}`)),
    ),
  );
  expect([lines.length, lines[0]?.msg, lines.at(-1)?.msg]).toEqual([100, 'line 50', 'line 149']);
});

test.each(['x', 'ü', '€', '😀'])('a message of %s has at most 4 KB, and no character of it is cut', (letter) => {
  const [{ msg } = { msg: '' }] = linesOf(logEvent('run', [line(`y${letter.repeat(5_000)}`)]));
  expect(Buffer.byteLength(msg)).toBeGreaterThan(4_096 - 4);
  expect(Buffer.byteLength(msg)).toBeLessThanOrEqual(4_096);
  expect(msg).toMatch(new RegExp(`^y(${letter})+$`, 'u'));
});

test.each(['x', '€', '\u0001', '"'])('all lines of %j together have at most 64 KB, the last ones count', (letter) => {
  const event = logEvent(
    'run',
    Array.from({ length: 60 }, (_, n) => line(`${n} ${letter.repeat(3_900)}`)),
  );
  expect(Buffer.byteLength(event ?? '')).toBeLessThanOrEqual(64 * 1024);
  expect(linesOf(event).at(-1)?.msg).toMatch(/^59 /);
  expect(linesOf(event).length).toBeGreaterThan(1);
});

test('a run that wrote nothing has none', () => {
  expect(logEvent('run', [])).toBeUndefined();
});
