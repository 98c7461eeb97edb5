import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crashCopy } from '../../../support/crash-copy.ts';
import { type EmbeddedOptions, openService } from './targets.ts';

/**
 * The service after `kill -9`: opened on a copy of the current disk, while the first service still holds its own data
 * and its unwritten changes.
 */
export async function afterCrash(directory: string, options: EmbeddedOptions) {
  const copy = await mkdtemp(join(tmpdir(), 'sqs-crash-'));
  crashCopy(directory, copy);
  const opened = await openService({ ...options, path: copy });
  return {
    ...opened,
    async close() {
      await opened.close();
      await rm(copy, { recursive: true });
    },
  };
}
