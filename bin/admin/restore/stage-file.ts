import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { readStage } from '../../../infra/read-stage.ts';
import type { Stage } from '../../../infra/stage.ts';

const Settings = z.looseObject({ retention: z.looseObject({}).optional() });

/** Writes `adopt` into the file of a stage in one step. The other settings stay. */
export async function writeAdopt(
  { folder, stage }: { folder: string; stage: string },
  adopt: NonNullable<Stage['adopt']>,
): Promise<string> {
  const path = join(folder, `${stage}.json`);
  const settings = Settings.parse(JSON.parse(await readFile(path, 'utf8')));
  const changed = { ...settings, retention: { ...settings.retention, data: 'retain' }, adopt };
  readStage(changed);
  await writeFile(`${path}.new`, `${JSON.stringify(changed, null, 2)}\n`);
  await rename(`${path}.new`, path);
  return path;
}
