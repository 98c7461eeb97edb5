import type { Disk } from '../disk.ts';
import type { BodyFiles, Received } from './body-files.ts';
import type { Expected } from './checksum.ts';

/** What is kept about an object besides its body. */
export interface StoredObject {
  readonly size: number;
  /** With its quotes, as every answer shows it. */
  readonly etag: string;
  /** Epoch milliseconds, whole seconds: HTTP dates know no more. */
  readonly modifiedAt: number;
  readonly checksums: Expected;
  /** Id of the file that holds the body; absent while the body is small enough for the Disk. */
  readonly file?: string;
  readonly headers: StoredHeaders;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Headers given with PutObject and answered with GetObject, by their names in the API. */
export type StoredHeaders = Partial<Record<(typeof storedHeaders)[number], string>>;

export const storedHeaders = [
  'CacheControl',
  'ContentDisposition',
  'ContentEncoding',
  'ContentLanguage',
  'ContentType',
  'Expires',
] as const;

/** Orders keys as S3 lists them: by their UTF-8 bytes. */
const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Every object of every bucket: what is about them in memory, everything on the Disk (`s/o/` about it, `s/b/` its body). */
export class Objects {
  private readonly disk: Disk;
  private readonly files: BodyFiles;
  private readonly buckets = new Map<string, Map<string, StoredObject>>();
  private readonly sorted = new Map<string, string[]>();

  constructor(disk: Disk, files: BodyFiles) {
    this.disk = disk;
    this.files = files;
  }

  async load(): Promise<void> {
    const live = new Set<string>();
    for await (const [key, value] of this.disk.entries('s/o/')) {
      const [bucket = '', ...rest] = key.slice('s/o/'.length).split('/');
      const object = JSON.parse(value) as StoredObject;
      this.of(bucket).set(rest.join('/'), object);
      if (object.file) live.add(object.file);
    }
    await this.files.sweep(live);
  }

  bucketNames(): string[] {
    return [...this.buckets].filter(([, objects]) => objects.size > 0).map(([name]) => name);
  }

  get(bucket: string, key: string): StoredObject | undefined {
    return this.buckets.get(bucket)?.get(key);
  }

  /** The body of an object that fits the Disk. */
  bytes(bucket: string, key: string): Uint8Array {
    return this.disk.getBytes(`s/b/${bucket}/${key}`) ?? new Uint8Array();
  }

  all(bucket: string): ReadonlyMap<string, StoredObject> {
    return this.of(bucket);
  }

  /** Sorted once per change; listing is rare. */
  sortedKeys(bucket: string): readonly string[] {
    let keys = this.sorted.get(bucket);
    if (!keys) {
      keys = [...this.of(bucket).keys()].sort(byBytes);
      this.sorted.set(bucket, keys);
    }
    return keys;
  }

  /** Puts an object in place of what was there; resolves when it is written. */
  async put(
    bucket: string,
    key: string,
    about: Omit<StoredObject, 'file'>,
    content: Received['content'],
  ): Promise<void> {
    const before = this.get(bucket, key);
    const object = 'file' in content ? { ...about, file: content.file } : about;
    if (!before) this.sorted.delete(bucket);
    this.of(bucket).set(key, object);
    this.disk.put(`s/o/${bucket}/${key}`, JSON.stringify(object));
    if ('bytes' in content) this.disk.put(`s/b/${bucket}/${key}`, content.bytes);
    else if (before && !before.file) this.disk.del(`s/b/${bucket}/${key}`);
    await this.disk.commit();
    if (before?.file) await this.files.remove(before.file);
  }

  async remove(bucket: string, keys: readonly string[]): Promise<void> {
    const files: string[] = [];
    for (const key of keys) {
      const object = this.get(bucket, key);
      if (!object) continue;
      this.of(bucket).delete(key);
      this.sorted.delete(bucket);
      this.disk.del(`s/o/${bucket}/${key}`);
      if (object.file) files.push(object.file);
      else this.disk.del(`s/b/${bucket}/${key}`);
    }
    await this.disk.commit();
    for (const file of files) await this.files.remove(file);
  }

  private of(bucket: string): Map<string, StoredObject> {
    let objects = this.buckets.get(bucket);
    if (!objects) {
      objects = new Map();
      this.buckets.set(bucket, objects);
    }
    return objects;
  }
}
