import type { ListObjectVersionsCommandOutput } from '@aws-sdk/client-s3';
import { objectPrefixes } from '../../../shared/aws/object-keys.ts';
import { type ObjectVersion, removeVersions, type VersionedBucket, versionPages } from '../object-versions.ts';

interface BucketOptions extends VersionedBucket {
  to: Date;
}

/** Objects that the time has and that are deleted now. */
export interface DeletedObjects {
  objects: number;
  bytes: number;
}

interface Version {
  at: number;
  bytes: number;
}

/** The entries of one key. */
interface History {
  versions: Version[];
  markers: { at: number; id: string }[];
  /** The newest entry is a delete marker. */
  isDeleted: boolean;
}

/** The clocks of table and bucket differ, and a body is stored before its event. */
const MARGIN_MS = 60_000;

/** The objects without a lifetime. The others expire, and nothing that was restored needs them. */
const prefixes = Object.entries(objectPrefixes).flatMap(([prefix, { expiresAfterDays }]) =>
  expiresAfterDays === undefined ? [`${prefix}/`] : [],
);

/** Counts the objects that `fetchBackDeleted` would make current. */
export const countDeleted = (options: BucketOptions): Promise<DeletedObjects> =>
  walkDeleted(options, () => Promise.resolve());

/**
 * Makes each object current again that was so at the time and is deleted now: it removes the delete markers above the
 * object's newest version. Nothing that holds data is deleted. A second call finds the rest of an interrupted one.
 */
export const fetchBackDeleted = (options: BucketOptions): Promise<DeletedObjects> =>
  walkDeleted(options, (markers) => removeVersions(options, markers));

async function walkDeleted(
  options: BucketOptions,
  handle: (markers: ObjectVersion[]) => Promise<void>,
): Promise<DeletedObjects> {
  const found = { objects: 0, bytes: 0 };
  for await (const histories of pagesOf(options)) {
    const markers: ObjectVersion[] = [];
    for (const [key, history] of histories) {
      const bytes = bytesToFetch(history, options.to.getTime());
      if (bytes === undefined) continue;
      found.objects += 1;
      found.bytes += bytes;
      markers.push(...markersAbove(history).map(({ id }) => ({ Key: key, VersionId: id })));
    }
    if (markers.length > 0) await handle(markers);
  }
  return found;
}

/** The histories of all keys, each once and whole. */
async function* pagesOf(options: BucketOptions): AsyncGenerator<Map<string, History>> {
  for (const prefix of prefixes) {
    let open = new Map<string, History>();
    for await (const page of versionPages(options, prefix)) {
      const last = addPage(open, page);
      // Versions of the last key may go on in the next page.
      const unfinished = page.isLast || last === undefined ? undefined : open.get(last);
      if (last !== undefined && unfinished) open.delete(last);
      yield open;
      open = new Map(last !== undefined && unfinished ? [[last, unfinished]] : []);
    }
  }
}

/** Returns the last key of the page. */
function addPage(
  histories: Map<string, History>,
  { Versions = [], DeleteMarkers = [] }: ListObjectVersionsCommandOutput,
): string | undefined {
  const historyOf = (key: string): History => {
    const known = histories.get(key) ?? { versions: [], markers: [], isDeleted: false };
    histories.set(key, known);
    return known;
  };
  let last: string | undefined;
  for (const { Key, LastModified, Size = 0 } of Versions) {
    if (Key === undefined || !LastModified) continue;
    historyOf(Key).versions.push({ at: LastModified.getTime(), bytes: Size });
    last = later(last, Key);
  }
  for (const { Key, LastModified, VersionId, IsLatest = false } of DeleteMarkers) {
    if (Key === undefined || !LastModified || VersionId === undefined) continue;
    const history = historyOf(Key);
    history.markers.push({ at: LastModified.getTime(), id: VersionId });
    history.isDeleted ||= IsLatest;
    last = later(last, Key);
  }
  return last;
}

/** S3 lists keys in the order of their UTF-8 bytes. */
const later = (last: string | undefined, key: string): string =>
  last !== undefined && Buffer.compare(Buffer.from(last), Buffer.from(key)) > 0 ? last : key;

const newest = <T extends { at: number }>(entries: readonly T[]): T | undefined =>
  entries.reduce<T | undefined>((found, entry) => (found && found.at >= entry.at ? found : entry), undefined);

/** Bytes of an object that was current at the time and is deleted now; undefined for others. */
function bytesToFetch({ versions, markers, isDeleted }: History, to: number): number | undefined {
  if (!isDeleted) return undefined;
  const before = newest(versions.filter(({ at }) => at <= to + MARGIN_MS));
  if (!before || markers.some(({ at }) => at > before.at && at < to - MARGIN_MS)) return undefined;
  return newest(versions)?.bytes;
}

function markersAbove({ versions, markers }: History): History['markers'] {
  const top = newest(versions)?.at ?? Infinity;
  return markers.filter(({ at }) => at >= top);
}
