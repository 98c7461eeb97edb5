import { resolve } from 'node:path';
import * as z from 'zod';
import type { CommandWords } from '../../tributary/command-tree.ts';
import { refusedFailure } from '../../tributary/failures.ts';
import { shellWord } from '../../tributary/output/shell-word.ts';
import type { Operate } from '../operator.ts';
import type { Report } from '../operator-command.ts';

export const backupWords: CommandWords = {
  usage: 'backup <path>',
  about: 'Make a backup of the service on this machine at a new path, while it runs or not.',
  examples: [
    ['tributary admin backup /backups/monday', 'makes the folder, with all events of this moment'],
    ['tributary admin backup /backups/monday --json', 'the same, and prints its size as JSON'],
  ],
};

export const BackupInput = z.strictObject({ path: z.string().min(1, 'is empty') });

interface BackupContext {
  readonly stack: string | undefined;
  readonly operate: Operate;
  readonly cwd: string;
  readonly interrupted: AbortSignal;
}

export async function makeBackup(
  { path }: z.infer<typeof BackupInput>,
  { stack, operate, cwd, interrupted }: BackupContext,
): Promise<Report> {
  if (stack !== undefined)
    throw refusedFailure(
      'A stack on AWS needs no such backup: its table can be restored to any second of 35 days. The page docs/backup.md says how.',
    );
  const startedAt = performance.now();
  const { bytes, entries, files, ...made } = await operate(
    undefined,
    async ({ machine }) => {
      if (!machine) throw refusedFailure('Only a service on this machine has backups.');
      return machine.backUp(resolve(cwd, path), interrupted);
    },
    { command: 'backup', role: 'read', options: { path } },
  ).catch((error: unknown) => {
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
}

const sizeText = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
