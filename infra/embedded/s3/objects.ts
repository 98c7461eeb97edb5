import type { Disk } from '../disk/disk.ts';
import type { BodyFiles } from './body-files.ts';
import type { ReceivedBody } from './received-body.ts';

/** The metadata of an object; its body is stored apart. */
export interface StoredObject {
  readonly size: number;
  /** The ETag in quotes, as in every response. */
  readonly etag: string;
  /** Epoch milliseconds on whole seconds, the precision of HTTP dates. */
  readonly modifiedAt: number;
  /** Id of the file with the body; undefined if the body is small enough for the disk. */
  readonly file?: string;
  readonly headers: { readonly ContentType: string };
}

/** Members that earlier releases read, after a rollback. */
const READ_BEFORE = { checksums: {}, metadata: {} };

/** Begins the keys of the rows with metadata. */
export const OBJECT_ROWS = 's/o/';

/** All objects: their metadata in memory and on disk (`s/o/`), small bodies on disk (`s/b/`), large bodies in files. */
export class Objects {
  readonly #disk: Disk;
  readonly #files: BodyFiles;
  readonly #buckets = new Map<string, Map<string, StoredObject>>();
  /** The keys of each bucket by folder, for listing. */
  readonly #folders = new Map<string, Map<string, Set<string>>>();

  constructor(disk: Disk, files: BodyFiles) {
    this.#disk = disk;
    this.#files = files;
  }

  async load(): Promise<void> {
    const live = new Set<string>();
    for await (const [key, value] of this.#disk.entries(OBJECT_ROWS)) {
      const [bucket = '', ...rest] = key.slice(OBJECT_ROWS.length).split('/');
      const object = JSON.parse(value) as StoredObject;
      this.#add(bucket, rest.join('/'), object);
      if (object.file && live.has(object.file)) this.#files.share(object.file);
      if (object.file) live.add(object.file);
    }
    await this.#files.sweep(live);
  }

  get(bucket: string, key: string): StoredObject | undefined {
    return this.#buckets.get(bucket)?.get(key);
  }

  /** The body of an object that is on disk. */
  bytes(bucket: string, key: string): Uint8Array {
    return this.#disk.getBytes(`s/b/${bucket}/${key}`) ?? new Uint8Array();
  }

  all(bucket: string): ReadonlyMap<string, StoredObject> {
    return this.#of(bucket);
  }

  /** The keys with a prefix, in the order of their UTF-8 bytes. */
  keys(bucket: string, prefix: string): string[] {
    const keys: Buffer[] = [];
    for (const [folder, own] of this.#folders.get(bucket) ?? []) {
      if (!folder.startsWith(prefix) && !prefix.startsWith(folder)) continue;
      for (const key of own) if (key.startsWith(prefix)) keys.push(Buffer.from(key));
    }
    return keys.sort((a, b) => Buffer.compare(a, b)).map(String);
  }

  /** Adds or replaces an object. Resolves when it is written. */
  async put(
    bucket: string,
    key: string,
    about: Omit<StoredObject, 'file'>,
    content: ReceivedBody['content'],
  ): Promise<void> {
    const before = this.get(bucket, key);
    const object = 'file' in content ? { ...about, file: content.file } : about;
    this.#add(bucket, key, object);
    this.#disk.put(`${OBJECT_ROWS}${bucket}/${key}`, JSON.stringify({ ...object, ...READ_BEFORE }));
    if ('bytes' in content) this.#disk.put(`s/b/${bucket}/${key}`, content.bytes);
    else if (before && !before.file) this.#disk.del(`s/b/${bucket}/${key}`);
    await this.#disk.commit();
    if (before?.file) await this.#files.remove(before.file);
  }

  async remove(bucket: string, keys: readonly string[]): Promise<void> {
    const files: string[] = [];
    for (const key of keys) {
      const object = this.get(bucket, key);
      if (!object) continue;
      this.#delete(bucket, key);
      this.#disk.del(`${OBJECT_ROWS}${bucket}/${key}`);
      if (object.file) files.push(object.file);
      else this.#disk.del(`s/b/${bucket}/${key}`);
    }
    await this.#disk.commit();
    for (const file of files) await this.#files.remove(file);
  }

  #add(bucket: string, key: string, object: StoredObject): void {
    this.#of(bucket).set(key, object);
    const folders = this.#folders.get(bucket) ?? new Map<string, Set<string>>();
    this.#folders.set(bucket, folders);
    const own = folders.get(folderOf(key));
    if (own) own.add(key);
    else folders.set(folderOf(key), new Set([key]));
  }

  #delete(bucket: string, key: string): void {
    this.#of(bucket).delete(key);
    const folders = this.#folders.get(bucket);
    const own = folders?.get(folderOf(key));
    own?.delete(key);
    if (own?.size === 0) folders?.delete(folderOf(key));
  }

  #of(bucket: string): Map<string, StoredObject> {
    let objects = this.#buckets.get(bucket);
    if (!objects) {
      objects = new Map();
      this.#buckets.set(bucket, objects);
    }
    return objects;
  }
}

const folderOf = (key: string): string => key.slice(0, key.lastIndexOf('/') + 1);
