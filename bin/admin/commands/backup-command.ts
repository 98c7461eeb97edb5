import { resolve } from 'node:path';
import * as z from 'zod';
import { refusedFailure } from '../../tributary/failures.ts';
import { shellWord } from '../../tributary/output/shell-word.ts';
import type { TerminalCommand } from '../operator-command.ts';

const input = z.strictObject({ path: z.string().min(1, 'is empty') });

export const backupCommand: TerminalCommand<typeof input> = {
  usage: 'backup <path>',
  role: 'read',
  about: 'Make a backup of the service on this machine at a new path, while it runs or not.',
  stackRefusal:
    'A stack on AWS needs no such backup: its table can be restored to any second of 35 days. The page docs/backup.md says how.',
  isInterruptible: true,
  input,
  examples: [
    ['tributary admin backup /backups/monday', 'makes the folder, with all events of this moment'],
    ['tributary admin backup /backups/monday --json', 'the same, and prints its size as JSON'],
  ],
  async run({ machine }, { path }, terminal, interrupted = terminal.interrupted()) {
    if (!machine) throw refusedFailure('Only a service on this machine has backups.');
    const startedAt = performance.now();
    const { bytes, entries, files, ...made } = await machine
      .backUp(resolve(terminal.cwd, path), interrupted)
      .catch((error: unknown) => {
        throw interrupted.aborted ? refusedFailure('The backup was ended. Nothing of it is left.') : error;
      });
    const durationMs = Math.round(performance.now() - startedAt);
    const check = `DATA_DIR=${shellWord(made.path)} PORT=3100 INGRESS_PORT=3101 tributary start --paused`;
    return {
      json: { path: made.path, bytes, entries, files, duration_ms: durationMs, check },
      text: [
        `Made the backup ${made.path}: ${sizeText(bytes)}, ${entries} entries and ${files} files of large bodies, in ${(durationMs / 1_000).toFixed(1)} s.`,
        `Check it: ${check}`,
      ].join('\n'),
    };
  },
};

const sizeText = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
