import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';

/** An object in a list. */
interface ListedObject {
  key: string;
  bytes: number;
}

/** Text objects. */
export interface Bucket {
  /** The text, or its UTF-8, which must not change until this resolves. */
  putText(key: string, text: string | Buffer): Promise<void>;
  /** Undefined when there is no such object. */
  getText(key: string): Promise<string | undefined>;
  /** The text in UTF-8. */
  getBytes(key: string): Promise<Buffer | undefined>;
  copy(from: string, to: string): Promise<void>;
  /** False when there is no such object, which needs permission to list it. */
  copyIfPresent(from: string, to: string): Promise<boolean>;
  delete(key: string): Promise<void>;
  /** The objects with a prefix, as of the call. */
  list(prefix: string): Promise<ListedObject[]>;
  /** A URL that reads the object without credentials. */
  presignGet(key: string, seconds: number): Promise<string>;
  /** A URL that writes the object without credentials. */
  presignPut(key: string, seconds: number): Promise<string>;
}

/** Without permission to list the bucket, S3 answers 403 instead of 404 for a missing key. */
const MISSING = new Set(['NoSuchKey', 'NotFound', 'AccessDenied']);
const isMissing = (error: unknown): boolean => error instanceof Error && MISSING.has(error.name);

export function createBucket(s3: () => S3Client, name: string): Bucket {
  async function bodyOf(key: string) {
    try {
      return (await s3().send(new GetObjectCommand({ Bucket: name, Key: key }))).Body;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async function copy(from: string, to: string): Promise<void> {
    await s3().send(
      new CopyObjectCommand({
        Bucket: name,
        Key: to,
        CopySource: `${name}/${from.split('/').map(encodeURIComponent).join('/')}`,
      }),
    );
  }

  async function list(prefix: string): Promise<ListedObject[]> {
    const listed: ListedObject[] = [];
    let next: { ContinuationToken?: string } | undefined = {};
    while (next) {
      const page: ListObjectsV2CommandOutput = await s3().send(
        new ListObjectsV2Command({ Bucket: name, Prefix: prefix, ...next }),
      );
      for (const { Key, Size = 0 } of page.Contents ?? [])
        if (Key !== undefined) listed.push({ key: Key, bytes: Size });
      const { NextContinuationToken: token } = page;
      next = token === undefined ? undefined : { ContinuationToken: token };
    }
    return listed;
  }

  return {
    async putText(key, text) {
      await s3().send(
        new PutObjectCommand({
          Bucket: name,
          Key: key,
          Body: text,
          ContentType: 'text/plain; charset=utf-8',
        }),
      );
    },
    getText: async (key) => (await bodyOf(key))?.transformToString('utf-8'),
    async getBytes(key) {
      const bytes = await (await bodyOf(key))?.transformToByteArray();
      return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    },
    copy,
    list,
    async copyIfPresent(from, to) {
      try {
        await copy(from, to);
        return true;
      } catch (error) {
        // S3 answers the same for a missing permission.
        if (!isMissing(error) || (await list(from)).some(({ key }) => key === from)) throw error;
        return false;
      }
    },
    async delete(key) {
      await s3().send(new DeleteObjectCommand({ Bucket: name, Key: key }));
    },
    presignGet: (key, seconds) =>
      getSignedUrl(s3(), new GetObjectCommand({ Bucket: name, Key: key }), { expiresIn: seconds }),
    presignPut: (key, seconds) =>
      getSignedUrl(s3(), new PutObjectCommand({ Bucket: name, Key: key }), { expiresIn: seconds }),
  };
}
