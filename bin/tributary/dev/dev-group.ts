import { basename, extname, resolve } from 'node:path';
import * as z from 'zod';
import { slugOf } from '../../../shared/domain/source/slug.ts';
import type { CommandTree } from '../command-tree.ts';
import { PROP_OPTIONS, PropInput } from '../commands/shared-options.ts';
import { develop } from './develop.ts';

/** `dev`: runs a file as a source while it is edited. */
export function addDevCommand({ program, leaf }: CommandTree): void {
  leaf(program, {
    usage: 'dev <file>',
    about: 'Run a file as a source, update it on every save, and print what it does. Enter runs it, Ctrl-C removes it.',
    options: [
      ...PROP_OPTIONS,
      ['--name <name>', "name after dev-, the file's otherwise"],
      ['--keep', 'leave the source there'],
    ],
    input: PropInput.extend({
      file: z.string(),
      name: z.string().optional(),
      keep: z.boolean().default(false),
    }),
    examples: [
      ['tributary dev new-orders.mjs', 'as the source dev-new-orders'],
      ['tributary dev new-orders.ts --prop shop=main --keep', 'with a prop; the source stays after Ctrl-C'],
    ],
    run: (session, { file, name, keep, ...lines }) =>
      develop(session, {
        entry: resolve(session.terminal.cwd, file),
        shown: file,
        name: `dev-${slugOf(name ?? basename(file, extname(file)))}`,
        isKept: keep,
        lines,
      }),
  });
}
