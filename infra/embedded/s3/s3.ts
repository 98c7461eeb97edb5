import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Demand, EmbeddedService, Output } from '../call.ts';
import type { Clock } from '../clock.ts';
import type { Disk } from '../disk.ts';
import { BodyFiles } from './body-files.ts';
import { answerBody, chunksOf } from './body.ts';
import { expiresAt, nextMidnight, type BucketSpec } from './buckets.ts';
import { demandsOf } from './demands.ts';
import {
  accessDenied,
  malformedXml,
  noSuchBucket,
  noSuchKey,
  notFound,
  preconditionFailed,
} from './errors.ts';
import {
  bucketOf,
  checkedKey,
  checkMembers,
  copySourceOf,
  expectedDigests,
  headersOf,
  keyOf,
  keysToDelete,
  metadataOf,
  text,
  type Input,
} from './input.ts';
import { listObjects } from './list.ts';
import { Objects, type StoredObject } from './objects.ts';
import { byteRange } from './range.ts';

/** Bytes of one PutObject. https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html */
const MAX_PUT_BYTES = 5 * 1024 ** 3;

export interface S3Options {
  readonly disk: Disk;
  /** Large bodies are files in `objects` below it. */
  readonly dataDir: string;
  readonly clock: Clock;
  /** Whether a role may do something: a role without `s3:ListBucket` is not told that a key is missing. */
  readonly isAllowed?: (role: string, action: string, resource: string) => boolean;
  readonly maxPutBytes?: number;
}

export interface S3 extends EmbeddedService {
  readonly id: 'S3';
  createBucket(spec: BucketSpec): void;
  /** Names of buckets that have objects, whether or not they were created in this process. */
  bucketsOnDisk(): string[];
  /** Expires what is due now and at every midnight UTC. */
  start(): Promise<void>;
  stop(): void;
}

/** S3 with its objects on the Disk and in files; what it acknowledges is written. */
export async function s3({
  disk,
  dataDir,
  clock,
  isAllowed = () => true,
  maxPutBytes = MAX_PUT_BYTES,
}: S3Options): Promise<S3> {
  const files = new BodyFiles(join(dataDir, 'objects'));
  const objects = new Objects(disk, files);
  const buckets = new Map<string, BucketSpec>();
  let stopWaiting: (() => void) | undefined;
  await files.prepare();
  await objects.load();

  const bucketIn = (input: Input): string => {
    const bucket = bucketOf(input);
    if (!buckets.has(bucket)) throw noSuchBucket(bucket);
    return bucket;
  };
  const now = () => Math.floor(clock.now() / 1000) * 1000;

  const existing = (bucket: string, key: string, role: string): StoredObject => {
    const object = objects.get(bucket, key);
    if (object) return object;
    if (!isAllowed(role, 's3:ListBucket', `arn:aws:s3:::${bucket}`)) throw accessDenied();
    throw noSuchKey(key);
  };

  const body = async (
    bucket: string,
    key: string,
    object: StoredObject,
    start: number,
    end: number,
  ): Promise<Readable> => {
    if (object.file) return files.read(object.file, start, end);
    const bytes = object.size > 0 ? [objects.bytes(bucket, key).subarray(start, end + 1)] : [];
    return Readable.from(bytes, { objectMode: false });
  };

  const operations: Readonly<Record<string, (input: Input, role: string) => Promise<Output>>> = {
    async PutObject(input) {
      const bucket = bucketIn(input);
      const key = keyOf(input);
      const about = { headers: headersOf(input), metadata: metadataOf(input) };
      const length = input['ContentLength'] === undefined ? undefined : Number(input['ContentLength']);
      const expectation = { length, digests: expectedDigests(input), maxBytes: maxPutBytes };
      const received = await files.receive(chunksOf(input['Body']), expectation);
      try {
        checkPreconditions(input, objects.get(bucket, key), key);
      } catch (error) {
        if ('file' in received.content) await files.remove(received.content.file);
        throw error;
      }
      const { size, md5, checksums, content } = received;
      const object = { ...about, size, etag: `"${md5}"`, modifiedAt: now(), checksums };
      await objects.put(bucket, key, object, content);
      return { ETag: object.etag, ...checksumMembers(object) };
    },

    async GetObject(input, role) {
      const bucket = bucketIn(input);
      const key = keyOf(input);
      const object = existing(bucket, key, role);
      checkPreconditions(input, object, key);
      const range = byteRange(text(input, 'Range'), object.size);
      const { start, end } = range ?? { start: 0, end: object.size - 1 };
      return {
        ...about(object),
        Body: answerBody(await body(bucket, key, object, start, end)),
        ContentLength: end - start + 1,
        ...(range && { ContentRange: `bytes ${start}-${end}/${object.size}` }),
        ...(!range && input['ChecksumMode'] === 'ENABLED' && checksumMembers(object)),
      };
    },

    async HeadObject(input, role) {
      const bucket = buckets.has(bucketOf(input)) ? bucketOf(input) : undefined;
      const object = bucket === undefined ? undefined : objects.get(bucket, keyOf(input));
      if (bucket === undefined) throw notFound();
      if (!object) {
        if (!isAllowed(role, 's3:ListBucket', `arn:aws:s3:::${bucket}`)) throw accessDenied();
        throw notFound();
      }
      checkPreconditions(input, object, keyOf(input));
      const checksums = input['ChecksumMode'] === 'ENABLED' ? checksumMembers(object) : {};
      return { ...about(object), ContentLength: object.size, ...checksums };
    },

    async DeleteObject(input) {
      await objects.remove(bucketIn(input), [keyOf(input)]);
      return {};
    },

    async DeleteObjects(input) {
      const bucket = bucketIn(input);
      const asked = keysToDelete(input);
      if (!asked) throw malformedXml();
      const keys = asked.keys.map(checkedKey);
      await objects.remove(bucket, keys);
      return asked.quiet ? {} : { Deleted: keys.map((Key) => ({ Key })) };
    },

    async CopyObject(input, role) {
      const bucket = bucketIn(input);
      const key = keyOf(input);
      const source = copySourceOf(input);
      if (!buckets.has(source.bucket)) throw noSuchBucket(source.bucket);
      const { size, ...object } = existing(source.bucket, source.key, role);
      const chunks = await body(source.bucket, source.key, { size, ...object }, 0, size - 1);
      const received = await files.receive(chunks, { length: size, digests: {}, maxBytes: maxPutBytes });
      const replaced =
        input['MetadataDirective'] === 'REPLACE'
          ? { headers: headersOf(input), metadata: metadataOf(input) }
          : { headers: object.headers, metadata: object.metadata };
      const { etag, checksums } = object;
      const modifiedAt = now();
      await objects.put(bucket, key, { ...replaced, size, etag, checksums, modifiedAt }, received.content);
      return {
        CopyObjectResult: { ETag: etag, LastModified: new Date(modifiedAt), ...checksumMembers(object) },
      };
    },

    async ListObjectsV2(input) {
      const bucket = bucketIn(input);
      return Promise.resolve(listObjects(bucket, input, objects.sortedKeys(bucket), objects.all(bucket)));
    },
  };

  const expire = async (): Promise<void> => {
    for (const [name, spec] of buckets) {
      const expired = [...objects.all(name)].filter(([key, { modifiedAt }]) => {
        const at = expiresAt(spec, key, modifiedAt);
        return at !== undefined && at <= clock.now();
      });
      await objects.remove(
        name,
        expired.map(([key]) => key),
      );
    }
  };
  const expireDaily = () => {
    stopWaiting = clock.wakeAt(nextMidnight(clock.now()), () => {
      expireDaily();
      void expire();
    });
  };

  return {
    id: 'S3',
    createBucket: (spec) => void buckets.set(spec.name, spec),
    bucketsOnDisk: () => objects.bucketNames(),
    demands: (operation, input): readonly Demand[] => demandsOf(operation, input),
    async call(operation, input, role) {
      checkMembers(operation, input);
      return (await operations[operation]?.(input, role)) ?? {};
    },
    async start() {
      expireDaily();
      await expire();
    },
    stop: () => stopWaiting?.(),
  };
}

function checkPreconditions(input: Input, object: StoredObject | undefined, key: string): void {
  const ifMatch = text(input, 'IfMatch');
  const ifNoneMatch = text(input, 'IfNoneMatch');
  if (ifMatch !== undefined) {
    if (!object) throw noSuchKey(key);
    if (ifMatch !== '*' && unquoted(ifMatch) !== unquoted(object.etag)) throw preconditionFailed('If-Match');
  }
  if (
    ifNoneMatch !== undefined &&
    object &&
    (ifNoneMatch === '*' || unquoted(ifNoneMatch) === unquoted(object.etag))
  ) {
    throw preconditionFailed('If-None-Match');
  }
}

const unquoted = (etag: string) => etag.replace(/^"(.*)"$/, '$1');

const checksumMembers = ({ checksums }: Pick<StoredObject, 'checksums'>): Output => ({
  ...Object.fromEntries(
    Object.entries(checksums).map(([algorithm, value]) => [`Checksum${algorithm}`, value]),
  ),
  ChecksumType: 'FULL_OBJECT',
});

const about = ({ etag, modifiedAt, headers, metadata }: StoredObject): Output => ({
  AcceptRanges: 'bytes',
  LastModified: new Date(modifiedAt),
  ETag: etag,
  ...headers,
  Metadata: metadata,
});
