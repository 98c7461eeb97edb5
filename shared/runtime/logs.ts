import { format } from 'node:util';
import { cut } from '../lib/cut.ts';
import type { RunnerLine } from '../domain/run/run.ts';

export type LogLine = Extract<RunnerLine, { k: 'log' }>;

/** Limits per run: the last 100 lines, 4 KB each, 64 KB in total. */
const MAX_LINES = 100;
const LONGEST_LINE = 4096;
const MAX_CHARACTERS = 64 * 1024;
const FIRST_PAUSE_MS = 20;
const MAX_PAUSE_MS = 2000;

/**
 * Buffers the log lines of one job. Writes the first 100 immediately. After that, keeps only the newest lines and
 * writes them at growing intervals, so that endless logging costs kilobytes and the last lines before a kill are still
 * shown.
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
    if (this.#written < MAX_LINES && this.#waiting.length === 0) {
      this.#written += 1;
      this.#write(line);
      return;
    }
    this.#waiting.push(line);
    this.#characters += line.msg.length;
    while (this.#waiting.length > MAX_LINES || this.#characters > MAX_CHARACTERS) {
      this.#characters -= this.#waiting.shift()?.msg.length ?? 0;
    }
    const now = performance.now();
    if (now < this.#flushAt) return;
    this.flush();
    this.#flushAt = now + this.#pauseMs;
    this.#pauseMs = Math.min(this.#pauseMs * 2, MAX_PAUSE_MS);
  }

  flush(): void {
    for (const line of this.#waiting) this.#write(line);
    this.#waiting = [];
    this.#characters = 0;
  }
}

/** The text of one console call, cut to the limit of a line. */
export function logText(args: readonly unknown[], redact: (text: string) => string): string {
  let text: string;
  try {
    // A short value is recognised only where it stands alone, as in an argument.
    text = format(...args.map((arg) => (typeof arg === 'string' ? redact(arg) : arg)));
  } catch {
    // The inspection of an object threw.
    text = '[a value that cannot be shown]';
  }
  // Redacted before it is cut, because half a credential is not recognised.
  return cut(redact(text), LONGEST_LINE);
}
