import { readFileSync, statSync } from 'node:fs';

/** Time between two looks at a file. */
const LOOK_MS = 1_000;

/** A small local file as it is now, parsed again when it has changed. A file that cannot be read is empty. */
export class WatchedFile<Parsed> {
  readonly #path: string;
  readonly #parse: (text: string) => Parsed;
  #parsed: Parsed | undefined;
  #version = '';
  #lookedAt = -Infinity;

  constructor(path: string, parse: (text: string) => Parsed) {
    this.#path = path;
    this.#parse = parse;
  }

  /** The same object until the file changes. */
  get(): Parsed {
    const now = performance.now();
    if (this.#parsed !== undefined && now - this.#lookedAt < LOOK_MS) return this.#parsed;
    this.#lookedAt = now;
    const version = this.#read(() => {
      const { ino, size, mtimeMs } = statSync(this.#path);
      return [ino, size, mtimeMs].join(' ');
    });
    if (this.#parsed === undefined || version !== this.#version)
      this.#parsed = this.#parse(this.#read(() => readFileSync(this.#path, 'utf8')));
    this.#version = version;
    return this.#parsed;
  }

  #read(read: () => string): string {
    try {
      return read();
    } catch {
      return '';
    }
  }
}
