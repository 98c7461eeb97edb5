import type { ClientConnection } from '../../shared/lib/reading/client-connection.ts';

/** The connection of a client that hangs up when it is told to. */
export class FakeConnection implements ClientConnection {
  isOpen = true;
  readonly #callbacks = new Set<() => void>();

  /** Callbacks that wait for its end. */
  get watchers(): number {
    return this.#callbacks.size;
  }

  whenOver(callback: () => void): () => void {
    if (this.isOpen) this.#callbacks.add(callback);
    else callback();
    return () => void this.#callbacks.delete(callback);
  }

  close(): void {
    this.isOpen = false;
    for (const callback of [...this.#callbacks]) callback();
    this.#callbacks.clear();
  }
}
