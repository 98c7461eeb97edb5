import * as z from 'zod';
import { cut } from '../../lib/cut.ts';
import type { RunError } from './run.ts';

/** The record of one trigger of a source that has ended. Times are epoch ms. */
export interface RunRecord {
  /** The id of the trigger. */
  id: string;
  state: 'done' | 'failed' | 'skipped';
  /** Time of acceptance. */
  receivedAt: number;
  /** Absent when no run started, or when its start was not seen. */
  startedAt?: number | undefined;
  endedAt: number;
  /** Events on all streams but `$errors` and `$logs`. */
  emitted: number;
  error?: RecordedError | undefined;
}

/** The record of a trigger before its events are counted. */
export type EndedRun = Omit<RunRecord, 'id' | 'emitted'>;

type RecordedError = Pick<RunError, 'code' | 'message'>;

/** Triggers of a source that have a record. */
export const KEPT_RUNS = 100;

/**
 * The newest records of a source as lines of text, oldest first. The state of the source holds them, which every run reads and writes, so
 * nothing parses them there. Full texts move to chunks.
 */
export interface RecentRuns {
  text: string;
  /** Number of chunks that were ever written. */
  chunks: number;
}

export const NO_RUNS: RecentRuns = { text: '', chunks: 0 };

/** With this many records the text becomes a chunk, which makes at most this many chunks of {@link KEPT_RUNS} records. */
const CHUNK_RUNS = 10;
/** A chunk overwrites the one that was written this many chunks before. */
export const CHUNK_SLOTS = KEPT_RUNS / CHUNK_RUNS;

/** Records are part of an item that each batch writes: a long message would cost write units each time. `$errors` has it whole. */
const LONGEST_MESSAGE = 200;
const LONGEST_CODE = 64;

const STATES = ['done', 'failed', 'skipped'] as const;

const Line = z.tuple(
  [
    z.string(),
    z
      .int()
      .min(0)
      .max(STATES.length - 1),
    z.number(),
    z.number().nullable(),
    z.number(),
    z.int(),
  ],
  z.string(),
);

/** One line. The start and the end are ms after the acceptance. */
export function lineOf(
  id: string,
  { state, receivedAt, startedAt, endedAt, error }: EndedRun,
  emitted: number,
): string {
  const code = error ? `,${JSON.stringify(cut(error.code, LONGEST_CODE))}` : '';
  const message = error ? `,${JSON.stringify(cut(error.message, LONGEST_MESSAGE))}` : '';
  const started = startedAt === undefined ? 'null' : String(startedAt - receivedAt);
  const times = `${receivedAt},${started},${endedAt - receivedAt}`;
  // Each run makes a line: joining texts takes a fifth of the time of JSON.stringify.
  return `[${JSON.stringify(id)},${STATES.indexOf(state)},${times},${emitted}${code}${message}]\n`;
}

/** The records of a text, oldest first. */
export const recordsOf = (text: string): RunRecord[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => recordOf(JSON.parse(line)));

function recordOf(line: unknown): RunRecord {
  const [id, state, receivedAt, waited, lasted, emitted, code, message = ''] = Line.parse(line);
  return {
    id,
    state: STATES[state] ?? 'done',
    receivedAt,
    startedAt: waited === null ? undefined : receivedAt + waited,
    endedAt: receivedAt + lasted,
    emitted,
    error: code === undefined ? undefined : { code, message },
  };
}

/** Whether the text becomes a chunk before the next records are added. */
export function isChunk({ text }: RecentRuns): boolean {
  let lines = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) lines += 1;
  return lines >= CHUNK_RUNS;
}

/** The records after these lines were added. A text that {@link isChunk} has been written as a chunk before. */
export const withLines = (recent: RecentRuns, lines: string): RecentRuns => {
  if (lines === '') return recent;
  return isChunk(recent)
    ? { text: lines, chunks: recent.chunks + 1 }
    : { text: recent.text + lines, chunks: recent.chunks };
};
