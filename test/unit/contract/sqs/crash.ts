import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crashCopy } from '../../../support/crash-copy.ts';
import { type EmbeddedOptions, openService } from './targets.ts';

/**
 * The service as it stands after `kill -9`: opened on a copy of what is on disk now, while the first one still has
 * its data open and whatever it did not write.
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
