import { hasAtMost } from '../../shared/lib/cut.ts';
import { LARGEST_EMITTED_BYTES } from '../../shared/domain/event/emitted-bytes.ts';
import type { Job, RunnerLine } from '../../shared/domain/run/run.ts';
import type { RunLimits } from '../../shared/domain/run-limits.ts';
import { kindOf, type LineKind, longestLine, readLine } from '../../shared/domain/run/runner-line.ts';
import type { ChildLine } from './child-lines.ts';
import { isDict } from '../../shared/runtime/guards.ts';
import { responseOf } from '../../shared/runtime/respond.ts';
import { isReserved } from '../../shared/domain/event/stream.ts';

/** A child that writes more refused lines, or more other lines, is ended: no component within its limits does. */
const MAX_REFUSED = 1000;
const MAX_OTHERS = 20_000;
/** Longest output of one job: its events, escaped once more, with logs and db. */
const MAX_BYTES = 4 * LARGEST_EMITTED_BYTES;
/** Longest output of a job without events: its result, and logs. */
const MAX_BYTES_WITHOUT_EVENTS = 8 * 1024 * 1024;

/** The kinds of lines that a job may write. */
const EXPECTED: Readonly<Record<Job['kind'], readonly LineKind[]>> = {
  run: ['emit', 'error', 'log', 'db', 'respond', 'late', 'end'],
  hook: ['emit', 'error', 'log', 'db', 'late', 'end'],
  describe: ['described', 'log', 'end'],
  props: ['props', 'log', 'end'],
  options: ['options', 'log', 'end'],
};
/** Kinds of which a job writes one line. A further one is refused before it is parsed. */
const ONCE: readonly LineKind[] = ['respond', 'described', 'props', 'options'];

/**
 * Validates the lines of a child like the input of a stranger, because a component can reach the pipe and write lines
 * of its own. Such a line counts as one of the current job, within its limits.
 */
export class LineCheck {
  isFlood = false;
  readonly #job: Pick<Job, 'id' | 'kind'> | undefined;
  readonly #limits: RunLimits;
  readonly #maxBytes: number;
  /** The kinds that may still come. */
  #expected: readonly LineKind[];
  #emits = 0;
  #emittedBytes = 0;
  #others = 0;
  #refused = 0;
  #bytes = 0;

  constructor(job: Pick<Job, 'id' | 'kind'> | undefined, limits: RunLimits) {
    this.#job = job;
    this.#limits = limits;
    this.#expected = job ? EXPECTED[job.kind] : [];
    this.#maxBytes = this.#expected.includes('emit') ? MAX_BYTES : MAX_BYTES_WITHOUT_EVENTS;
  }

  /** Characters of the longest line that the job may still write. */
  get longestLine(): number {
    return Math.max(0, ...this.#expected.map(longestLine));
  }

  /**
   * The line, if the job may write it. The `json` of a long event is empty here: the caller of the runner checks it.
   */
  accept({ text, utf8 }: ChildLine): RunnerLine | undefined {
    const longBytes = utf8 && utf8.length - Buffer.byteLength(text) - 1;
    this.#bytes += utf8?.length ?? text.length;
    const kind = kindOf(text);
    const line = kind !== undefined && this.#expected.includes(kind) ? readLine(text, kind) : undefined;
    // A line `late` is about an earlier job of the same process, and so of the same source.
    const isOwn = line?.k === 'late' || line?.job === this.#job?.id;
    const isAccepted = line !== undefined && isOwn && this.#isAllowed(line, longBytes);
    if (!isAccepted) this.#refused += 1;
    this.isFlood = this.#refused > MAX_REFUSED || this.#others > MAX_OTHERS || this.#bytes > this.#maxBytes;
    return isAccepted ? line : undefined;
  }

  #isAllowed(line: RunnerLine, longBytes: number | undefined): boolean {
    if (line.k === 'emit') return this.#isEmitAllowed(line, longBytes);
    this.#others += 1;
    if (ONCE.includes(line.k)) this.#expected = this.#expected.filter((kind) => kind !== line.k);
    if (line.k === 'db') return isWithin(this.#limits.dbBytes, line.json) && isDict(json(line.json));
    return line.k !== 'respond' || isResponse(line);
  }

  #isEmitAllowed(
    { json: event, meta: { id = '', name = '' } }: Extract<RunnerLine, { k: 'emit' }>,
    longBytes: number | undefined,
  ): boolean {
    this.#emits += 1;
    const left = this.#limits.eventBytes - (longBytes ?? 0);
    if (this.#emits > this.#limits.emits || left < 0 || !isWithin(left, event, String(id))) return false;
    this.#emittedBytes += longBytes ?? event.length;
    if (this.#emittedBytes > LARGEST_EMITTED_BYTES || isReserved(name) || !hasAtMost(name, 128)) return false;
    return longBytes !== undefined || json(event) !== undefined;
  }
}

/** The most bytes of a UTF-16 unit in UTF-8. */
const LONGEST_UNIT = 3;

/** Whether texts together have at most so many bytes. Most are so short that nothing needs to be counted. */
function isWithin(bytes: number, text: string, more = ''): boolean {
  if ((text.length + more.length) * LONGEST_UNIT <= bytes) return true;
  if (text.length + more.length > bytes) return false;
  return Buffer.byteLength(text) + Buffer.byteLength(more) <= bytes;
}

function isResponse({ status, headers, cookies }: Extract<RunnerLine, { k: 'respond' }>): boolean {
  try {
    const all = [headers, { 'set-cookie': cookies }];
    return all.every((each) => responseOf({ status, headers: each }).dropped.length === 0);
  } catch {
    return false;
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
