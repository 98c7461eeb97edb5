import { MAX_JSON_DEPTH, MAX_JSON_VALUES, shapeOf } from '../../lib/json-text.ts';
import { lineHead, lineValue } from './line-text.ts';
import { RunnerLine } from './run.ts';
import { defaultLimits } from '../run-limits.ts';

export type LineKind = RunnerLine['k'];

/** An escaped character in JSON, such as `\u0000`. */
const LONGEST_ESCAPE = 6;
const FRAME = 4 * 1024;
const ORDINARY = 256 * 1024 + FRAME;

/** Characters of the longest line of each kind. A line is compared with it before it is parsed. */
const LONGEST: Readonly<Record<LineKind, number>> = {
  // The event and its id together have at most 1 MiB; only the id is quoted.
  emit: LONGEST_ESCAPE * (defaultLimits.eventBytes + FRAME),
  // A body of 6 MB in Base64, or with a quote as every character.
  respond: 12 * 1024 * 1024 + FRAME,
  db: defaultLimits.dbBytes + FRAME,
  described: ORDINARY,
  props: ORDINARY,
  options: ORDINARY,
  log: ORDINARY,
  error: ORDINARY,
  end: ORDINARY,
  unready: ORDINARY,
  late: FRAME,
};

/**
 * Bytes of the longest event whose JSON the runner checks; its caller checks longer ones. A pipe delivers no more at
 * once.
 */
export const LONGEST_CHECKED_EVENT = 65_535;

export const LONGEST_LINE = LONGEST.respond;
export const longestLine = (kind: LineKind): number => LONGEST[kind];

/** JSON values of a line, without its event or db. Most kinds have a fixed number of members. */
const FEW_VALUES = 100;
const MAX_VALUES: Readonly<Partial<Record<LineKind, number>>> = {
  described: MAX_JSON_VALUES,
  props: MAX_JSON_VALUES,
  options: MAX_JSON_VALUES,
  respond: 10_000,
};
/** A shorter text has few values. */
const LONGEST_UNCOUNTED = 4096;

/** A runner writes `k` first. */
const START = '{"k":"';
const LONGEST_KIND = 16;

/** The kind of a line, read without parsing it. */
export function kindOf(text: string): LineKind | undefined {
  if (!text.startsWith(START)) return undefined;
  const end = text.slice(START.length, START.length + LONGEST_KIND).indexOf('"');
  const kind = text.slice(START.length, START.length + Math.max(end, 0));
  return isKind(kind) ? kind : undefined;
}

const isKind = (kind: string): kind is LineKind => Object.hasOwn(LONGEST, kind);

/** Parses a line; undefined for a text that is no line, or that is larger than its kind may be. */
export function readLine(text: string, kind = kindOf(text)): RunnerLine | undefined {
  if (kind === undefined || text.length > LONGEST[kind] || !hasFewValues(kind, text)) return undefined;
  try {
    const line = RunnerLine.safeParse(lineValue(text)).data;
    // A later member `k` would replace the first one.
    return line?.k === kind ? line : undefined;
  } catch {
    return undefined;
  }
}

/** Counted without parsing: a text of 12 MB may have millions of values. */
function hasFewValues(kind: LineKind, text: string): boolean {
  if (text.length <= LONGEST_UNCOUNTED) return true;
  const head = lineHead(text);
  if (head.length <= LONGEST_UNCOUNTED) return true;
  const { values, depth } = shapeOf(head);
  return values <= (MAX_VALUES[kind] ?? FEW_VALUES) && depth <= MAX_JSON_DEPTH;
}
