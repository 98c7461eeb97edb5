import { writeFile } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import * as z from 'zod';
import { slugOf } from '../../../shared/domain/source/slug.ts';
import type { CommandTree } from '../command-tree.ts';
import { refusedFailure } from '../failures.ts';
import type { Session } from '../session/command-session.ts';
import { STARTING_POINTS, type StartingPoint } from '../../../shared/domain/component/starting-points.ts';
import { shellWord } from '../output/shell-word.ts';

/** `new poller|webhook|cron FILE`: a starting point to edit. */
export function addNewCommands({ group, leaf }: CommandTree): void {
  const parent = group('new', 'Write the starting point of a component.');
  for (const kind of ['poller', 'webhook', 'cron'] as const) {
    const { about, code } = STARTING_POINTS[kind];
    leaf(parent, {
      usage: `${kind} <file>`,
      about,
      input: z.object({ file: z.string() }),
      examples: [
        [`tributary new ${kind} my-${kind}.mjs`, 'writes the file, which must not exist'],
        [
          `tributary new ${kind} my-${kind}.mjs && tributary dev my-${kind}.mjs`,
          'and runs it while you edit it',
        ],
      ],
      run: (session, { file }) => write(session, file, code),
    });
  }
}

const REASONS = new Map([
  ['EEXIST', 'it exists already'],
  ['ENOENT', 'its folder does not exist'],
]);

async function write(
  { terminal, output }: Session,
  file: string,
  code: StartingPoint['code'],
): Promise<void> {
  const key = slugOf(basename(file, extname(file)));
  const name = key.replace(/-/g, ' ').replace(/^./, (letter) => letter.toUpperCase());
  await writeFile(resolve(terminal.cwd, file), code({ key, name }), { flag: 'wx', mode: 0o644 }).catch(
    (error: NodeJS.ErrnoException) => {
      const reason = REASONS.get(error.code ?? '') ?? error.message;
      throw refusedFailure(`The file ${file} cannot be written: ${reason}.`, 'file_unwritable');
    },
  );
  output.result({ id: file }, `Wrote ${file}. Run it while you edit it: tributary dev ${shellWord(file)}`);
}
