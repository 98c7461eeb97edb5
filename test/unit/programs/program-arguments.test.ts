import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { noNames, positiveNumber, readArguments } from '../../support/program-arguments.ts';

const PROGRAM = {
  usage: 'npm run walk -- [NAME …]',
  does: 'Walks.',
  names: z.array(
    z.enum(['hill', 'shore'], {
      error: ({ input }) => `There is no ${String(input)}; there is hill, shore.`,
    }),
  ),
  options: {
    minutes: positiveNumber.default(3).describe('how long, 3 by default'),
    dog: z.boolean().default(false).describe('takes the dog along'),
  },
};
const read = (...argv: string[]) => readArguments(PROGRAM, argv);

test('names and options are read by their schemas, and defaults fill what is missing', () => {
  expect(read('hill', '--minutes', '5')).toEqual({ names: ['hill'], values: { minutes: 5, dog: false } });
  expect(read('--dog', '--minutes=0.5', 'shore')).toEqual({
    names: ['shore'],
    values: { minutes: 0.5, dog: true },
  });
});

test.each(['--help', '-h'])('%s prints use, purpose and every option, also after something wrong', (help) => {
  expect(read('sea', help)).toEqual({
    exitCode: 0,
    text: `Usage: npm run walk -- [NAME …]

Walks.

Options:
  --minutes  how long, 3 by default
  --dog      takes the dog along
  --help     prints this text`,
  });
});

describe('a wrong argument is one sentence that names the known ones, or the value that is expected', () => {
  test.each([
    [['sea'], 'There is no sea; there is hill, shore.'],
    [['--far'], 'There is no option --far; there are --minutes, --dog, --help.'],
    [['-x'], 'There is no option -x; there are --minutes, --dog, --help.'],
    [['--minutes', 'many'], '--minutes must be a number above 0.'],
    [['--minutes', '0'], '--minutes must be a number above 0.'],
    [['--minutes'], '--minutes takes a value.'],
    [['--dog=big'], '--dog takes no value.'],
  ])('%j', (argv, text) => {
    expect(read(...argv)).toEqual({ exitCode: 2, text });
  });

  test('a program without names refuses a name', () => {
    expect(readArguments({ ...PROGRAM, names: noNames }, ['hill'])).toEqual({
      exitCode: 2,
      text: 'The command takes options only.',
    });
  });
});
