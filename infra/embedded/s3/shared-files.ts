import type { ReceivedBody } from './received-body.ts';

interface Arriving {
  readonly received: Promise<ReceivedBody>;
  /** Further puts that wait for the same bytes. */
  others: number;
}

/**
 * The files that several objects have. Functions often put the same bytes under two keys at the same time, as the body
 * of an event and as the payload of its deliveries, and then one file is written.
 */
export class SharedFiles {
  readonly #arriving = new WeakMap<Uint8Array, Arriving>();
  /** Objects that have the file beside the first one. */
  readonly #others = new Map<string, number>();

  /**
   * Stores bytes by `receive`, unless they are being stored. As in the SDK, a caller's buffer must not change until the
   * response.
   */
  receive(bytes: Uint8Array, receive: () => Promise<ReceivedBody>): Promise<ReceivedBody> {
    const arriving = this.#arriving.get(bytes);
    if (arriving) {
      arriving.others += 1;
      return arriving.received;
    }
    const ended = () => {
      const { others = 0 } = this.#arriving.get(bytes) ?? {};
      this.#arriving.delete(bytes);
      return others;
    };
    const received = receive().then(
      (body) => {
        // Counted before one of the puts can remove the file.
        const others = ended();
        if ('file' in body.content && others > 0) this.#others.set(body.content.file, others);
        return body;
      },
      (error: unknown) => {
        ended();
        throw error;
      },
    );
    this.#arriving.set(bytes, { received, others: 0 });
    return received;
  }

  /** Counts another object with the file. */
  add(file: string): void {
    this.#others.set(file, (this.#others.get(file) ?? 0) + 1);
  }

  /** Counts one object less. True if another object has the file. */
  leave(file: string): boolean {
    const others = this.#others.get(file) ?? 0;
    if (others > 1) this.#others.set(file, others - 1);
    else this.#others.delete(file);
    return others > 0;
  }
}
