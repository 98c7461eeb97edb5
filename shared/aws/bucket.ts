import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';

/** Text objects. */
export interface Bucket {
  putText(key: string, text: string): Promise<void>;
  /** Undefined when there is no such object. */
  getText(key: string): Promise<string | undefined>;
  copy(from: string, to: string): Promise<void>;
  delete(key: string): Promise<void>;
  /** A URL that reads the object without credentials. */
  presignGet(key: string, seconds: number): Promise<string>;
  /** A URL that writes the object without credentials. */
  presignPut(key: string, seconds: number): Promise<string>;
}

/** Without permission to list the bucket, S3 answers 403 instead of 404 for a missing key. */
const MISSING = new Set(['NoSuchKey', 'NotFound', 'AccessDenied']);
const isMissing = (error: unknown) => error instanceof Error && MISSING.has(error.name);

export function createBucket(s3: () => S3Client, name: string): Bucket {
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
    async getText(key) {
      try {
        const { Body } = await s3().send(new GetObjectCommand({ Bucket: name, Key: key }));
        return await Body?.transformToString('utf-8');
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async copy(from, to) {
      await s3().send(
        new CopyObjectCommand({
          Bucket: name,
          Key: to,
          CopySource: `${name}/${from.split('/').map(encodeURIComponent).join('/')}`,
        }),
      );
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
