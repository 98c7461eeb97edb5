import { LARGEST_EMITTED_BYTES } from '../../shared/domain/emitted-bytes.ts';
import { lineValue } from '../../shared/domain/line-text.ts';
import { RunnerLine } from '../../shared/domain/run.ts';
import type { RunLimits } from '../../shared/domain/run-limits.ts';
import { isDict } from '../../shared/runtime/guards.ts';
import { responseOf } from '../../shared/runtime/respond.ts';
import { isReserved } from '../../shared/domain/stream.ts';

/** A child that writes more refused lines, or more other lines, is ended: no component within its limits does. */
const MAX_REFUSED = 1000;
const MAX_OTHERS = 20_000;
/** Longest output of one job: its events, escaped once more, with logs and db. */
const MAX_BYTES = 4 * LARGEST_EMITTED_BYTES;

/**
 * Validates the lines of a child like the input of a stranger, because a component can reach the pipe and write lines of its own. Such a
 * line counts as one of the current job, within its limits.
 */
export class LineCheck {
  /** The longest line is a response of 6 MB in Base64. */
  static readonly longestLine = 12 * 1024 * 1024;
  isFlood = false;
  readonly #job: string;
  readonly #limits: RunLimits;
  #emits = 0;
  #emittedLength = 0;
  #others = 0;
  #refused = 0;
  #bytes = 0;
  #isAnswered = false;

  constructor(job: string, limits: RunLimits) {
    this.#job = job;
    this.#limits = limits;
  }

  accept(text: string): RunnerLine | undefined {
    this.#bytes += text.length;
    const line = parsed(text);
    const isAccepted = line !== undefined && line.job === this.#job && this.#isAllowed(line);
    if (!isAccepted) this.#refused += 1;
    this.isFlood = this.#refused > MAX_REFUSED || this.#others > MAX_OTHERS || this.#bytes > MAX_BYTES;
    return isAccepted ? line : undefined;
  }

  #isAllowed(line: RunnerLine): boolean {
    if (line.k === 'emit') return this.#isEmitAllowed(line);
    if (line.k === 'unready') return false;
    this.#others += 1;
    if (line.k === 'db') return line.json.length <= this.#limits.dbBytes && isDict(json(line.json));
    if (line.k === 'respond') {
      const isFirst = !this.#isAnswered;
      this.#isAnswered = true;
      return isFirst && isAnswer(line);
    }
    return true;
  }

  #isEmitAllowed({ json: event, meta }: Extract<RunnerLine, { k: 'emit' }>): boolean {
    this.#emits += 1;
    this.#emittedLength += event.length;
    if (this.#emits > this.#limits.emits || event.length > this.#limits.eventBytes) return false;
    if (this.#emittedLength > LARGEST_EMITTED_BYTES) return false;
    const name = meta.name ?? '';
    return !isReserved(name) && name.length <= 128 && json(event) !== undefined;
  }
}

function isAnswer({ status, headers, cookies }: Extract<RunnerLine, { k: 'respond' }>): boolean {
  try {
    const all = [headers, { 'set-cookie': cookies }];
    return all.every((each) => responseOf({ status, headers: each }).dropped.length === 0);
  } catch {
    return false;
  }
}

function parsed(text: string): RunnerLine | undefined {
  try {
    return RunnerLine.safeParse(lineValue(text)).data;
  } catch {
    return undefined;
  }
}

/** `undefined` for invalid JSON; no JSON text has this value. */
function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
