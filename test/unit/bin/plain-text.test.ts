import { expect, test } from 'vitest';
import { plainButStyles, plainJson, plainLine, plainLines } from '../../../bin/plain-text.ts';
import { createOutput } from '../../../bin/tributary/output/printer.ts';
import { runCommand } from '../../support/command.ts';
import { PassThrough, Writable } from 'node:stream';

/** Control characters and marks of direction that Unicode has, by its own tables. */
const STEERING = Array.from({ length: 0x2100 }, (_, code) => String.fromCharCode(code)).filter((one) =>
  /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u.test(one),
);
const TEXT = `a${STEERING.join('b')}\u001b[31mc`;
/** Line breaks and tabs of a text stay. */
const hasSteering = (text: string) => STEERING.some((one) => !'\n\t'.includes(one) && text.includes(one));

/** All that a command writes to a terminal. */
function onTerminal(json: boolean): { written: () => string; output: ReturnType<typeof createOutput> } {
  let written = '';
  const screen = Object.assign(
    new Writable({
      write(chunk: Buffer, _, done) {
        written += chunk.toString();
        done();
      },
    }),
    { isTTY: true, columns: 1_000 },
  );
  const terminal = {
    env: { NO_COLOR: '1' },
    cwd: '/',
    stdin: new PassThrough(),
    stdout: screen,
    stderr: screen,
    interrupted: () => new AbortController().signal,
  };
  return { written: () => written, output: createOutput(terminal, { json, quiet: false, isWide: false }) };
}

test('text of users loses what steers a terminal', () => {
  expect(STEERING.length).toBeGreaterThan(70);
  expect(plainLine('a\u001b[31mb\nc\u202ed\u009be')).toBe('a [31mb c d e');
  for (const plain of [plainLine, plainLines, plainJson]) expect(hasSteering(plain(TEXT))).toBe(false);
  expect(plainLines('a\r\nb\tc\rd')).toBe('a\nb\tc d');
  expect(plainButStyles('\u001b[1ma\u001b[22m\u001b[2Jb\u001b]0;c\u0007')).toBe('\u001b[1ma\u001b[22m [2Jb ]0;c ');
});

const columns = [{ heading: 'TEXT', of: ({ text }: { text: string }) => text }];
const item = { id: 'dc_1', text: TEXT };
const ways: [string, (output: ReturnType<typeof createOutput>) => void][] = [
  ['an object', (output) => output.object(item, columns)],
  ['a list', (output) => output.list([item], columns)],
  ['a deletion', (output) => output.deleted(TEXT)],
  ['a result', (output) => output.result(item, TEXT)],
  ['a text', (output) => output.text(TEXT)],
  ['a document', (output) => output.document(item)],
  ['a followed line', (output) => output.follow(item, TEXT)],
  ['a note', (output) => output.note(TEXT)],
];

test.each(ways)('%s on a terminal has none of it', (_, print) => {
  const { written, output } = onTerminal(false);
  print(output);
  // A style is harmless; it is what the command itself writes.
  expect(hasSteering(written().replaceAll('\u001b[31m', ''))).toBe(false);
});

test.each(ways.filter(([name]) => !['a text', 'a note', 'a deletion'].includes(name)))(
  '%s as JSON on a terminal has it escaped, and is the same value',
  (name, print) => {
    const { written, output } = onTerminal(true);
    print(output);
    expect(hasSteering(written())).toBe(false);
    expect(JSON.parse(written())).toEqual(name === 'a list' ? [item] : item);
  },
);

test.each([[[]], [['--json']], [['--debug']]])('an error has none of it, with %j', async (options) => {
  const { code, error } = await runCommand([`no-such-command${TEXT}`, ...options]);
  expect(code).toBe(2);
  expect(hasSteering(error)).toBe(false);
});
