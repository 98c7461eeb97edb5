import { format } from 'node:util';
import type { RunnerLine } from '../domain/run.ts';

export type LogLine = Extract<RunnerLine, { k: 'log' }>;

/** Per run: the last 100 lines, 4 KB each, 64 KB in all (decisions, "Events"). */
const MOST_LINES = 100;
const LONGEST_LINE = 4096;
const MOST_CHARACTERS = 64 * 1024;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 2000;

/**
 * Lines of one job on their way out. The first hundred are written as they come. Of a flood only the newest are kept and
 * written with growing pauses, so that a component that never stops logging costs kilobytes, and one that is killed while
 * it does still shows what it last said.
 */
export class LogBuffer {
  #written = 0;
  #waiting: LogLine[] = [];
  #characters = 0;
  #flushAt = 0;
  #pauseMs = FIRST_PAUSE_MS;
  readonly #write: (line: LogLine) => void;

  constructor(write: (line: LogLine) => void) {
    this.#write = write;
  }

  add(line: LogLine): void {
    if (this.#written < MOST_LINES && this.#waiting.length === 0) {
      this.#written += 1;
      this.#write(line);
      return;
    }
    this.#waiting.push(line);
    this.#characters += line.msg.length;
    while (this.#waiting.length > MOST_LINES || this.#characters > MOST_CHARACTERS) {
      this.#characters -= this.#waiting.shift()?.msg.length ?? 0;
    }
    const now = performance.now();
    if (now < this.#flushAt) return;
    this.flush();
    this.#flushAt = now + this.#pauseMs;
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
  }

  flush(): void {
    for (const line of this.#waiting) this.#write(line);
    this.#waiting = [];
    this.#characters = 0;
  }
}

/** One console call as its text, cut to what a line may have. */
export function logText(args: readonly unknown[], redact: (text: string) => string): string {
  let text: string;
  try {
    // A short value is recognised only where it stands alone, as in an argument.
    text = format(...args.map((arg) => (typeof arg === 'string' ? redact(arg) : arg)));
  } catch {
    // An object whose inspection throws.
    text = '[a value that cannot be shown]';
  }
  // Redacted before it is cut, because half a credential is not recognised.
  return redact(text).slice(0, LONGEST_LINE);
}
