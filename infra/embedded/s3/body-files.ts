import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Chunks } from './body.ts';
import { DirectorySync } from './directory-sync.ts';
import { asPassing, entityTooLarge, incompleteBody } from './errors.ts';
import { FreeFiles } from './free-files.ts';
import type { ReceivedBody } from './received-body.ts';
import { SharedFiles } from './shared-files.ts';

/** A body up to this size is on the disk, a larger body is a file. */
const MAX_INLINE_BYTES = 256 * 1024;

const MAX_BUFFERED_BYTES = 8 * 1024 * 1024;

interface Expectation {
  readonly length?: number | undefined;
  readonly maxBytes: number;
}

export interface HeldRemovals {
  /** Files that wait for their removal. */
  readonly size: number;
  /** Removes them, and ends the waiting. */
  release(): Promise<void>;
}

/**
 * The files of large bodies. A file has a unique name and does not change while an object has it or somebody reads it.
 */
export class BodyFiles {
  readonly #directory: string;
  readonly #free: FreeFiles;
  readonly #names: DirectorySync;
  readonly #shared = new SharedFiles();
  /** Number of readers by file. */
  readonly #readers = new Map<string, number>();
  /** Removals that wait until a backup has the files. */
  #held: string[] | undefined;

  constructor(directory: string) {
    this.#directory = directory;
    this.#free = new FreeFiles(directory);
    this.#names = new DirectorySync(directory);
  }

  async prepare(): Promise<void> {
    await mkdir(this.#directory, { recursive: true });
  }

  /** Like {@link receive}, for bytes that the caller does not change before the response. */
  receiveBytes(bytes: Uint8Array, expectation: Expectation): Promise<ReceivedBody> {
    return this.#shared.receive(bytes, () => this.receive([bytes], expectation));
  }

  /** Counts another object that has the file. */
  share(file: string): void {
    this.#shared.add(file);
  }

  /** Stores a body. Throws, and leaves no file, if the length differs from the expectation. */
  async receive(chunks: Chunks, { length, maxBytes }: Expectation): Promise<ReceivedBody> {
    if (length !== undefined && length > maxBytes) throw entityTooLarge();
    const md5 = createHash('md5');
    const head: Uint8Array[] = [];
    let size = 0;
    let file: { id: string; handle: FileHandle } | undefined;
    try {
      for await (const chunk of chunks) {
        size += chunk.length;
        if (size > maxBytes) throw entityTooLarge();
        if (!file && size > MAX_INLINE_BYTES) {
          file = await this.#create();
          for (const earlier of head) await writeAll(file.handle, earlier);
        }
        if (file) await writeAll(file.handle, chunk);
        else {
          md5.update(chunk);
          head.push(chunk);
        }
      }
      if (length !== undefined && length !== size) throw incompleteBody();
      const content = file ? { file: await this.#keep(file) } : { bytes: Buffer.concat(head) };
      const etag = file ? `${file.id.replaceAll('-', '')}-1` : md5.digest('hex');
      return { size, etag, content };
    } catch (error) {
      if (file) {
        await file.handle.close().catch(() => undefined);
        await this.#forget(file.id);
      }
      throw asPassing(error);
    }
  }

  /**
   * Opens the file before the response, so that a later deletion does not affect the read. Only very large bodies are
   * streamed, because a stream without a reader keeps its file open.
   */
  async read(file: string, length: number): Promise<Readable> {
    const leave = this.#enter(file);
    try {
      const handle = await open(join(this.#directory, file), 'r');
      if (length > MAX_BUFFERED_BYTES) return handle.createReadStream().once('close', leave);
      const bytes = await readWhole(handle, length);
      leave();
      return Readable.from([bytes], { objectMode: false });
    } catch (error) {
      leave();
      throw asPassing(error);
    }
  }

  /**
   * One object has the file no more; that of no object is removed. The next start deletes one that cannot be deleted
   * now.
   */
  async remove(file: string): Promise<void> {
    if (this.#held) this.#held.push(file);
    else if (this.#shared.leave(file)) return;
    else if (this.#readers.has(file)) await this.#forget(file);
    else await this.#free.add(file).catch(() => undefined);
  }

  /** From now on removals wait, until `release`. */
  hold(): HeldRemovals {
    const held: string[] = [];
    this.#held = held;
    return {
      get size() {
        return held.length;
      },
      release: async () => {
        this.#held = undefined;
        for (const file of held.splice(0)) await this.remove(file);
      },
    };
  }

  /** Removes the files of no object, which a crash left. */
  async sweep(live: ReadonlySet<string>): Promise<void> {
    for (const name of await readdir(this.#directory))
      if (!live.has(name)) await rm(join(this.#directory, name), { force: true });
  }

  async #create(): Promise<{ id: string; handle: FileHandle }> {
    const id = randomUUID();
    const isThere = await this.#free.take(id);
    try {
      return { id, handle: await open(join(this.#directory, id), isThere ? 'r+' : 'wx') };
    } catch (error) {
      await this.#forget(id);
      throw error;
    }
  }

  async #forget(file: string): Promise<void> {
    await rm(join(this.#directory, file), { force: true }).catch(() => undefined);
  }

  /** Counts a reader of the file. Returns the end of its reading. */
  #enter(file: string): () => void {
    this.#readers.set(file, (this.#readers.get(file) ?? 0) + 1);
    return () => {
      const others = (this.#readers.get(file) ?? 1) - 1;
      if (others === 0) this.#readers.delete(file);
      else this.#readers.set(file, others);
    };
  }

  /** Makes bytes and name durable: only then may an object have the file. */
  async #keep({ id, handle }: { id: string; handle: FileHandle }): Promise<string> {
    await handle.datasync();
    await handle.close();
    await this.#names.sync();
    return id;
  }
}

async function readWhole(handle: FileHandle, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length);
  try {
    for (let filled = 0; filled < length;) {
      const { bytesRead } = await handle.read(bytes, filled, length - filled, filled);
      if (bytesRead === 0) throw new Error('The file of an object is too short.');
      filled += bytesRead;
    }
  } finally {
    await handle.close();
  }
  return bytes;
}

async function writeAll(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let written = 0; written < chunk.length;) {
    written += (await handle.write(chunk, written, chunk.length - written)).bytesWritten;
  }
}
