import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';

interface ListedObject {
  key: string;
  bytes: number;
}

export interface Bucket {
  /** The text, or its UTF-8, which must not change until this resolves. */
  putText(key: string, text: string | Buffer): Promise<void>;
  /** Undefined when there is no such object. */
  getText(key: string): Promise<string | undefined>;
  /** The text in UTF-8. */
  getBytes(key: string): Promise<Buffer | undefined>;
  copy(from: string, to: string): Promise<void>;
  /** False when there is no such object. */
  copyIfPresent(from: string, to: string): Promise<boolean>;
  delete(key: string): Promise<void>;
  /** The objects with a prefix, as of the call. */
  list(prefix: string): Promise<ListedObject[]>;
  /** A URL that reads the object without credentials. */
  presignGet(key: string, seconds: number): Promise<string>;
  /** A URL that writes the object without credentials. */
  presignPut(key: string, seconds: number): Promise<string>;
}

const MISSING = new Set(['NoSuchKey', 'NotFound']);

export function createBucket(s3: () => S3Client, name: string): Bucket {
  /**
   * Whether the error says that the object is missing. S3 answers 403 for a refused read, and for a missing object to a
   * role that may list prefixes only. The list of a missing object is empty; if it is refused too, the object counts as
   * there. https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html
   */
  async function isMissing(error: unknown, key: string): Promise<boolean> {
    if (!(error instanceof Error)) return false;
    if (error.name !== 'AccessDenied') return MISSING.has(error.name);
    return !(await list(key)).some((listed) => listed.key === key);
  }

  async function bodyOf(key: string) {
    try {
      return (await s3().send(new GetObjectCommand({ Bucket: name, Key: key }))).Body;
    } catch (error) {
      if (await isMissing(error, key)) return undefined;
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
    const pages = paginateListObjectsV2({ client: s3() }, { Bucket: name, Prefix: prefix });
    for await (const { Contents = [] } of pages)
      for (const { Key, Size = 0 } of Contents) if (Key !== undefined) listed.push({ key: Key, bytes: Size });
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
        if (await isMissing(error, from)) return false;
        throw error;
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
