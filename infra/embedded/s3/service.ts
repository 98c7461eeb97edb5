import { join } from 'node:path';
import type { EmbeddedService, Input, Output, RequiredPermission } from '../call.ts';
import type { Clock } from '../clock.ts';
import type { Disk } from '../disk/disk.ts';
import { operationNamed, type OperationTable } from '../operation.ts';
import { BodyFiles } from './body-files.ts';
import type { S3Context } from './context.ts';
import { unknownS3Operation } from './errors.ts';
import { Lifecycle, type BucketSpec } from './lifecycle.ts';
import { Objects } from './objects.ts';
import { copyObject } from './operations/copy-object.ts';
import { deleteObject } from './operations/delete-object.ts';
import { getObject } from './operations/get-object.ts';
import { listObjectsV2 } from './operations/list-objects-v2.ts';
import { putObject } from './operations/put-object.ts';
import { copyPermission, listPermission, objectPermission } from './permissions.ts';

export const s3Operations = {
  CopyObject: { handle: copyObject, requires: copyPermission },
  DeleteObject: { handle: deleteObject, requires: objectPermission('s3:DeleteObject') },
  GetObject: { handle: getObject, requires: objectPermission('s3:GetObject') },
  ListObjectsV2: { handle: listObjectsV2, requires: listPermission },
  PutObject: { handle: putObject, requires: objectPermission('s3:PutObject') },
} satisfies OperationTable<S3Context>;

/** Bytes of one PutObject. https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html */
const MAX_PUT_BYTES = 5 * 1024 ** 3;

interface S3Options {
  readonly disk: Disk;
  /** Large bodies are files in its folder `objects`. */
  readonly dataDir: string;
  readonly clock: Clock;
  readonly isAllowed?: S3Context['isAllowed'];
  readonly maxPutBytes?: number;
}

/** S3 with its objects on disk and in files. */
export class S3Service implements EmbeddedService {
  readonly id = 'S3';
  readonly #disk: Disk;
  readonly #buckets = new Map<string, BucketSpec>();
  readonly #files: BodyFiles;
  readonly #objects: Objects;
  readonly #lifecycle: Lifecycle;
  readonly #context: S3Context;

  constructor({ disk, dataDir, clock, isAllowed = () => true, maxPutBytes = MAX_PUT_BYTES }: S3Options) {
    this.#disk = disk;
    this.#files = new BodyFiles(join(dataDir, 'objects'));
    this.#objects = new Objects(disk, this.#files);
    this.#lifecycle = new Lifecycle(clock, this.#objects, this.#buckets);
    this.#context = {
      clock,
      files: this.#files,
      objects: this.#objects,
      maxPutBytes,
      hasBucket: (name) => this.#buckets.has(name),
      isAllowed,
    };
  }

  /** The files of large bodies, for backups. */
  get bodyFiles(): BodyFiles {
    return this.#files;
  }

  /** Loads the objects on disk. Must precede every call. */
  async load(): Promise<void> {
    await this.#files.prepare();
    await this.#objects.load();
  }

  createBucket(spec: BucketSpec): void {
    this.#buckets.set(spec.name, spec);
  }

  requiredPermissions(operation: string, input: Input): readonly RequiredPermission[] {
    return operationNamed(s3Operations, operation, unknownS3Operation).requires(input);
  }

  async call(operation: string, input: Input, role: string): Promise<Output> {
    try {
      return await operationNamed(s3Operations, operation, unknownS3Operation).handle(input, this.#context, role);
    } finally {
      // A read or a refusal may depend on an object that another caller has staged.
      if (!this.#disk.problem) await this.#disk.commitRows();
    }
  }

  /** Expires the objects that are due now, and from now on at every midnight UTC. */
  start(): Promise<void> {
    return this.#lifecycle.start();
  }

  stop(): void {
    this.#lifecycle.stop();
  }
}
