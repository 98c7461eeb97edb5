/** Where the lines go: a stream, which says when it has enough. */
export interface Output {
  write(text: string): boolean;
  /** Nobody reads any more, and nothing will be told of it. */
  readonly destroyed?: boolean;
  on(event: 'drain' | 'close' | 'error', listener: () => void): unknown;
  off(event: 'drain' | 'close' | 'error', listener: () => void): unknown;
}

interface Writer {
  pause(): void;
  resume(): void;
}

/** A reader that is gone takes everything. */
const GOING_ON = ['drain', 'close', 'error'] as const;

/** Hands lines on, and makes their writer wait while nobody takes them: that is no time of the writer's. */
export class PatientOutput {
  readonly #output: Output;
  readonly #writer: Writer;
  #pausedAt: number | undefined;
  #pausedMs = 0;

  constructor(output: Output, writer: Writer) {
    this.#output = output;
    this.#writer = writer;
  }

  /** For how long the writer has waited since the count was last begun. */
  get waitedMs(): number {
    return this.#pausedMs + (this.#pausedAt === undefined ? 0 : performance.now() - this.#pausedAt);
  }

  countAnew(): void {
    this.#pausedMs = 0;
    if (this.#pausedAt !== undefined) this.#pausedAt = performance.now();
  }

  write(text: string): void {
    const output = this.#output;
    if (output.write(text) || output.destroyed === true || this.#pausedAt !== undefined) return;
    this.#pausedAt = performance.now();
    this.#writer.pause();
    const goOn = () => {
      for (const event of GOING_ON) output.off(event, goOn);
      this.#pausedMs = this.waitedMs;
      this.#pausedAt = undefined;
      this.#writer.resume();
    };
    for (const event of GOING_ON) output.on(event, goOn);
  }
}
