import { constants, copyFile, link, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { DiskSnapshot } from '../disk/disk.ts';
import { OBJECT_ROWS } from '../s3/objects.ts';

interface CopyBodiesOptions {
  readonly snapshot: DiskSnapshot;
  readonly from: string;
  readonly to: string;
  /** Gets the bytes of all files before the first copy. It ends the work when it throws. */
  readonly beforeCopies: (bytes: number) => void;
  /** Runs after each file. It ends the work when it throws. */
  readonly afterFile: () => void;
}

interface CopiedBodies {
  readonly count: number;
  /** False: the files are those of the service, under a second name. */
  readonly areCopies: boolean;
}

/**
 * Gives a backup the files of its snapshot's objects: hard links, which need neither time nor room, or copies on
 * another file system.
 */
export async function copyBodies(options: CopyBodiesOptions): Promise<CopiedBodies> {
  const { snapshot, from, to, beforeCopies, afterFile } = options;
  await mkdir(to, { mode: 0o700 });
  const bodies = await largeBodies(snapshot);
  let areCopies = false;
  for (const { file } of bodies) {
    const [source, copy] = [join(from, file), join(to, file)];
    if (!areCopies && !(await isLinked(source, copy))) {
      beforeCopies(bodies.reduce((sum, { size }) => sum + size, 0));
      areCopies = true;
    }
    if (areCopies) await copyFile(source, copy, constants.COPYFILE_FICLONE);
    afterFile();
  }
  return { count: bodies.length, areCopies };
}

const Row = z.object({ size: z.number(), file: z.string().optional() });

/** Several objects may have one file. */
async function largeBodies(snapshot: DiskSnapshot): Promise<{ file: string; size: number }[]> {
  const found = new Map<string, number>();
  for await (const slice of snapshot.slices(OBJECT_ROWS))
    for (const [, value] of slice) {
      const { file, size } = Row.parse(JSON.parse(Buffer.from(value).toString()));
      if (file !== undefined) found.set(file, size);
    }
  return Array.from(found, ([file, size]) => ({ file, size }));
}

/** Errors of `link` across file systems, and on those without hard links. */
const NO_LINKS = new Set(['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

async function isLinked(source: string, copy: string): Promise<boolean> {
  try {
    await link(source, copy);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && NO_LINKS.has(String(error.code))) return false;
    throw error;
  }
}
