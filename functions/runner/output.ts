/** The stream that lines are written to, as text or UTF-8. `write` returns false when the stream's buffer is full. */
export interface Output {
  write(text: string | Buffer): boolean;
  /** The reader is gone, and no event will follow. */
  readonly destroyed?: boolean;
  on(event: 'drain' | 'close' | 'error', listener: () => void): unknown;
  off(event: 'drain' | 'close' | 'error', listener: () => void): unknown;
}

interface Writer {
  pause(): void;
  resume(): void;
}

/** The buffer has room again, or the reader is gone, and the stream drops what it gets. */
const ROOM_EVENTS = ['drain', 'close', 'error'] as const;

/**
 * Passes lines on, and pauses their writer while the reader is slower. The pause does not count as the writer's time.
 */
export class PatientOutput {
  readonly #output: Output;
  readonly #writer: Writer;
  #pausedAt: number | undefined;
  #pausedMs = 0;

  constructor(output: Output, writer: Writer) {
    this.#output = output;
    this.#writer = writer;
  }

  /** Milliseconds for which the writer has been paused since `restart`. */
  get waitedMs(): number {
    return this.#pausedMs + (this.#pausedAt === undefined ? 0 : performance.now() - this.#pausedAt);
  }

  restart(): void {
    this.#pausedMs = 0;
    if (this.#pausedAt !== undefined) this.#pausedAt = performance.now();
  }

  write(text: string | Buffer): void {
    const output = this.#output;
    if (output.write(text) || output.destroyed === true || this.#pausedAt !== undefined) return;
    this.#pausedAt = performance.now();
    this.#writer.pause();
    const resume = () => {
      for (const event of ROOM_EVENTS) output.off(event, resume);
      this.#pausedMs = this.waitedMs;
      this.#pausedAt = undefined;
      this.#writer.resume();
    };
    for (const event of ROOM_EVENTS) output.on(event, resume);
  }
}
