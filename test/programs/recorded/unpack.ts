import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const About = z.object({ at: z.number(), ids: z.record(z.string(), z.string()) });

export const NAME_ERROR = 'Give one NAME of letters, digits, ., _ and -.';
/** A file name; releases record under their versions. */
export const RecordingName = z.string(NAME_ERROR).regex(/^\w[\w.-]*$/, NAME_ERROR);

/** The notes of `record.ts` beside a recording: the time of its kill, and the ids in it. */
export function recorded(name: string): {
  at: number;
  /** Ids by role. */
  ids: Readonly<Record<string, string>>;
  idOf(role: string): string;
  fill(dataDir: string): void;
} {
  const path = join(import.meta.dirname, name);
  const { at, ids } = About.parse(JSON.parse(readFileSync(`${path}.json`, 'utf8')));
  return {
    at,
    ids,
    idOf: (role) => ids[role] ?? `The recording has no ${role}.`,
    fill(dataDir) {
      mkdirSync(dataDir, { recursive: true });
      execFileSync('tar', ['--extract', '--gzip', '--file', `${path}.tar.gz`, '--directory', dataDir]);
    },
  };
}
