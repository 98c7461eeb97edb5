import type { Writable } from 'node:stream';
import type { ClientConnection } from '../../lib/reading/client-connection.ts';
import { MAX_BACKLOG_BYTES, MAX_STREAM_BYTES } from '../../domain/live/stream-limits.ts';

/** Unsent bytes at which a replay waits. */
const PACE_BYTES = MAX_BACKLOG_BYTES / 4;

/**
 * The response of one listener. A client that does not read loses its connection; it goes on from the last event that
 * it got.
 */
export class LiveOutput implements ClientConnection {
  /** Fulfilled when the response is over, for whatever reason. */
  readonly closed: Promise<void>;
  readonly #response: Writable;
  #bytes = 0;

  constructor(response: Writable) {
    this.#response = response;
    this.closed = new Promise((resolve) => {
      // A client that is gone is no error.
      response
        .on('error', () => undefined)
        .once('finish', resolve)
        .once('close', resolve);
      if (response.destroyed) resolve();
    });
  }

  get isOpen(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded;
  }

  whenOver(callback: () => void): () => void {
    let isWatched = this.isOpen;
    if (isWatched) void this.closed.then(() => isWatched && callback());
    else callback();
    return () => {
      isWatched = false;
    };
  }

  /** Whether the response may not grow much further. */
  get isFull(): boolean {
    return this.#bytes > MAX_STREAM_BYTES;
  }

  /** Sends status and headers. */
  begin(): void {
    if (this.isOpen) this.#response.write('');
  }

  send(message: string | Buffer): void {
    if (!this.isOpen || message.length === 0) return;
    this.#bytes += message.length;
    this.#response.write(message);
    if (this.#response.writableLength > MAX_BACKLOG_BYTES) this.cut();
  }

  /** Sends a message of any size, and waits while the client has much to read. */
  async sendPaced(message: Buffer): Promise<void> {
    if (!this.isOpen || message.length === 0) return;
    this.#bytes += message.length;
    await new Promise<void>((resolve) => {
      void this.closed.then(resolve);
      this.#response.write(message, () => resolve());
      if (this.#response.writableLength <= PACE_BYTES) resolve();
    });
  }

  end(message = ''): void {
    if (this.isOpen) this.#response.end(message);
  }

  cut(): void {
    this.#response.destroy();
  }
}
