import * as z from 'zod';
import type { CommandWords } from '../../tributary/command-tree.ts';

export const restoreWords: CommandWords = {
  usage: 'restore',
  about:
    'Restore the table of a stack on AWS to an earlier time, as a new table which the next deployment of the stage adopts, with the objects of its bucket that were deleted since.',
  options: [
    ['--to <time>', 'a second of the last 35 days, such as 2026-11-22T10:00:00Z'],
    ['--stage <name>', 'stage of the stack, a file of infra/stages'],
    ['--table <name>', 'restore this table instead of the one that the stack uses'],
    ['--dry-run', 'say what would be done, and change nothing'],
    ['--yes', 'do not ask'],
  ],
  examples: [
    ['tributary admin restore --to 2026-11-22T10:00:00Z --stage prod', 'shows the plan and asks'],
    ['tributary admin restore --to 2026-11-22T10:00:00Z --stage prod --dry-run', 'only shows the plan'],
  ],
};

const TIME = 'must be a time with its zone, such as 2026-11-22T10:00:00Z';

/** The time is absolute, so that the same command continues an interrupted restoration. */
export const RestoreInput = z.strictObject({
  to: z
    .string('is needed')
    .pipe(z.iso.datetime({ offset: true, error: TIME }))
    // DynamoDB restores to whole seconds.
    .transform((text) => new Date(Math.floor(Date.parse(text) / 1_000) * 1_000)),
  stage: z.string('is needed').regex(/^[\w.-]+$/, 'must be the name of a file of infra/stages, without its ending'),
  table: z
    .string()
    .regex(/^[\w.-]{3,255}$/, 'must be the name of a table')
    .optional(),
  dryRun: z.boolean().default(false),
  yes: z.boolean().default(false),
});

export type RestoreInput = z.output<typeof RestoreInput>;
