import {
  DeleteObjectsCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';

export interface VersionedBucket {
  s3: S3Client;
  bucket: string;
  note(line: string): void;
  interrupted: AbortSignal;
}

/** A version of an object, or a delete marker. */
export interface ObjectVersion {
  Key: string;
  VersionId: string;
}

/** S3 takes 1,000 at a time. */
const BATCH = 1_000;
const PAGES_PER_NOTE = 100;

/** All versions and delete markers below a prefix, in the order of their keys. */
export async function* versionPages(
  { s3, bucket, note, interrupted }: VersionedBucket,
  Prefix = '',
): AsyncGenerator<ListObjectVersionsCommandOutput & { isLast: boolean }> {
  let next: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } | undefined = {};
  for (let pages = 1; next; pages += 1) {
    interrupted.throwIfAborted();
    const page: ListObjectVersionsCommandOutput = await s3.send(
      new ListObjectVersionsCommand({ Bucket: bucket, Prefix, MaxKeys: BATCH, ...next }),
    );
    if (pages % PAGES_PER_NOTE === 0) note(`Looked at ${pages * BATCH} versions of objects in ${bucket}/${Prefix}.`);
    next =
      page.IsTruncated && page.NextKeyMarker !== undefined
        ? { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker }
        : undefined;
    yield { ...page, isLast: next === undefined };
  }
}

export async function removeVersions(
  { s3, bucket }: Pick<VersionedBucket, 's3' | 'bucket'>,
  versions: readonly ObjectVersion[],
): Promise<void> {
  for (let from = 0; from < versions.length; from += BATCH) {
    const { Errors = [] } = await s3.send(
      new DeleteObjectsCommand({
        Bucket: bucket,
        Delete: { Objects: versions.slice(from, from + BATCH), Quiet: true },
      }),
    );
    const [failed] = Errors;
    if (failed)
      throw new Error(
        `S3 does not remove a version of ${failed.Key ?? 'an object'}: ${failed.Message ?? failed.Code ?? 'no reason'}`,
      );
  }
}
