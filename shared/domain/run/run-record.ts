import * as z from 'zod';
import { cut } from '../../lib/cut.ts';
import { shortHash } from '../event/emit-id.ts';
import type { RunError } from './run.ts';

/** The record of one trigger of a source that has ended. Times are epoch ms. */
export interface RunRecord {
  /** The id of the trigger, or its {@link runMark} as long as the record is a line. */
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
 * The newest records of a source as lines of text, oldest first. The state of the source holds them, which every run
 * reads and writes, so nothing parses them there. Full texts move to chunks.
 */
export interface RecentRuns {
  text: string;
  /** Number of chunks that were ever written. */
  chunks: number;
}

export const NO_RUNS: RecentRuns = { text: '', chunks: 0 };

/**
 * With this many records the text becomes a chunk, which makes at most this many chunks of {@link KEPT_RUNS} records.
 */
const CHUNK_RUNS = 20;
/** A chunk overwrites the one that was written this many chunks before. */
export const CHUNK_SLOTS = KEPT_RUNS / CHUNK_RUNS;

/**
 * Records are part of an item that each batch writes: a long message would cost write units each time. `$errors` has it
 * whole.
 */
const LONGEST_MESSAGE = 200;
const LONGEST_CODE = 64;

const STATES = ['done', 'failed', 'skipped'] as const;

/**
 * Mark, state, time of acceptance, ms from then to the start and to the end, events; and the error. Numbers have the
 * base 36.
 */
const LINE =
  /^(?<mark>.{8})(?<state>[0-2])(?<received>\w+),(?<waited>-?\w*),(?<lasted>-?\w+),(?<emitted>\w+)(?<error>\[.*)?$/s;
const BASE = 36;
const Groups = z.object({
  mark: z.string(),
  state: z.coerce.number(),
  received: z.string(),
  waited: z.string(),
  lasted: z.string(),
  emitted: z.string(),
  error: z.string().optional(),
});
const LineError = z.tuple([z.string(), z.string()]);

/**
 * 48 bits that stand for a trigger's id in a line: a reader knows the id, and each byte of a line is written with every
 * batch.
 */
export const runMark = (triggerId: string): string => shortHash(triggerId).slice(0, 8);

export function lineOf(
  id: string,
  { state, receivedAt, startedAt, endedAt, error }: EndedRun,
  emitted: number,
): string {
  const started = startedAt === undefined ? '' : digits(startedAt - receivedAt);
  const times = `${digits(receivedAt)},${started},${digits(endedAt - receivedAt)}`;
  const failure = error ? JSON.stringify([cut(error.code, LONGEST_CODE), cut(error.message, LONGEST_MESSAGE)]) : '';
  return `${runMark(id)}${STATES.indexOf(state)}${times},${digits(emitted)}${failure}\n`;
}

const digits = (value: number): string => Math.round(value).toString(BASE);
const numberOf = (text: string): number => parseInt(text, BASE);

/** The records of a text, oldest first; their ids are marks. */
export const recordsOf = (text: string): RunRecord[] =>
  text.split('\n').flatMap((line) => {
    const found = LINE.exec(line);
    return found ? [recordOf(Groups.parse(found.groups))] : [];
  });

function recordOf({ mark, state, received, waited, lasted, emitted, error }: z.output<typeof Groups>): RunRecord {
  const receivedAt = numberOf(received);
  const [code, message] = error === undefined ? [] : LineError.parse(JSON.parse(error));
  return {
    id: mark,
    state: STATES[state] ?? 'done',
    receivedAt,
    startedAt: waited === '' ? undefined : receivedAt + numberOf(waited),
    endedAt: receivedAt + numberOf(lasted),
    emitted: numberOf(emitted),
    error: code === undefined || message === undefined ? undefined : { code, message },
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
