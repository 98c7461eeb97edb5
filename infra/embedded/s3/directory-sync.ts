import { open } from 'node:fs/promises';

/** Makes the names in a directory durable. Callers that come while it syncs share the next sync. */
export class DirectorySync {
  readonly #directory: string;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Resolves when every name is durable that was there at the call. */
  sync(): Promise<void> {
    const start = () => {
      this.#next = undefined;
      return (this.#running = this.#syncNow());
    };
    // An error is that of the callers who shared the sync, and the next sync tries again.
    this.#next ??= this.#running.then(start, start);
    return this.#next;
  }

  async #syncNow(): Promise<void> {
    const handle = await open(this.#directory, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}
