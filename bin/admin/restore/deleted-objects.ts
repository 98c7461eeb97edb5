import {
  DeleteObjectsCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { objectPrefixes } from '../../../shared/aws/object-keys.ts';

interface BucketOptions {
  s3: S3Client;
  bucket: string;
  to: Date;
  note(line: string): void;
  interrupted: AbortSignal;
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
const PAGES_PER_NOTE = 100;

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
  walkDeleted(options, (markers) => removeMarkers(options, markers));

interface Marker {
  Key: string;
  VersionId: string;
}

async function walkDeleted(
  options: BucketOptions,
  handle: (markers: Marker[]) => Promise<void>,
): Promise<DeletedObjects> {
  const found = { objects: 0, bytes: 0 };
  for await (const histories of pagesOf(options)) {
    const markers: Marker[] = [];
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
async function* pagesOf({ s3, bucket, note, interrupted }: BucketOptions): AsyncGenerator<Map<string, History>> {
  let pages = 0;
  for (const Prefix of prefixes) {
    let open = new Map<string, History>();
    let next: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } | undefined = {};
    while (next) {
      interrupted.throwIfAborted();
      const page: ListObjectVersionsCommandOutput = await s3.send(
        new ListObjectVersionsCommand({ Bucket: bucket, Prefix, MaxKeys: 1_000, ...next }),
      );
      pages += 1;
      if (pages % PAGES_PER_NOTE === 0)
        note(`Looked at ${pages * 1_000} versions of objects in ${bucket}, now in ${Prefix}.`);
      const last = addPage(open, page);
      next =
        page.IsTruncated && page.NextKeyMarker !== undefined
          ? { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker }
          : undefined;
      // Versions of the last key may go on in the next page.
      const unfinished = next && last !== undefined ? open.get(last) : undefined;
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

/** S3 takes 1,000 at a time. */
const BATCH = 1_000;

async function removeMarkers({ s3, bucket }: BucketOptions, markers: readonly Marker[]): Promise<void> {
  for (let from = 0; from < markers.length; from += BATCH) {
    const { Errors = [] } = await s3.send(
      new DeleteObjectsCommand({
        Bucket: bucket,
        Delete: { Objects: markers.slice(from, from + BATCH), Quiet: true },
      }),
    );
    const [failed] = Errors;
    if (failed)
      throw new Error(
        `S3 does not remove the delete marker of ${failed.Key ?? 'an object'}: ${failed.Message ?? failed.Code ?? 'no reason'}`,
      );
  }
}
