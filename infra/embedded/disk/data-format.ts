import { DataDirectoryUnusable, type Disk } from './disk.ts';

/** The form of everything in a data directory. A release that cannot read what this one writes has another number. */
export const DATA_FORMAT = 1;

const KEY = 'm/format';

/** Undefined for a new directory, and for one of a release without numbers. */
export function dataFormatOf(disk: Pick<Disk, 'get'>): number | undefined {
  const written = disk.get(KEY);
  return written === undefined ? undefined : Number(written);
}

/** Refuses a directory of a later release. */
export function checkDataFormat(disk: Pick<Disk, 'get'>, dataDir: string): void {
  const format = dataFormatOf(disk) ?? DATA_FORMAT;
  if (format === DATA_FORMAT) return;
  throw new DataDirectoryUnusable(
    `The data directory ${dataDir} has the format ${format}, and this release reads the format ${DATA_FORMAT}: start the release that wrote it, or a later one.`,
  );
}

export async function writeDataFormat(disk: Pick<Disk, 'put' | 'commit'>): Promise<void> {
  disk.put(KEY, String(DATA_FORMAT));
  await disk.commit();
}
