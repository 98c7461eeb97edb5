import { cut, hasAtMost } from '../lib/cut.ts';
import { LARGEST_EMITTED_BYTES } from '../domain/event/emitted-bytes.ts';
import type { RunnerLine } from '../domain/run/run.ts';
import type { RunLimits } from '../domain/run-limits.ts';
import { isDict } from './guards.ts';
import type { Redactor } from './redaction/redactor.ts';
import { runError, runErrorOf } from './thrown.ts';

export type EmitMeta = Extract<RunnerLine, { k: 'emit' }>['meta'];

const LONGEST_SUMMARY = 4096;
const LONGEST_NAME = 128;

interface EmitterOptions {
  job: string;
  limits: Pick<RunLimits, 'emits' | 'eventBytes'>;
  write: (line: RunnerLine) => void;
  redactor: Pick<Redactor, 'inValue' | 'inJson'>;
}

/** `this.$emit` of one job. Never throws: a refused event becomes an error line, and the run continues. */
export function emitter({ job, limits, write, redactor }: EmitterOptions): (event: unknown, meta?: unknown) => void {
  let count = 0;
  let total = 0;
  let isFull = false;
  const refuse = (code: string, message: string) => write({ k: 'error', job, error: runError(code, message) });
  const stop = (message: string) => {
    // Reported once, so that an endless loop does not fill `$errors`.
    if (!isFull) refuse('too_many_emits', message);
    isFull = true;
  };

  return (event, metadata) => {
    if (isFull) return;
    if (count >= limits.emits) {
      stop(`A run may emit at most ${limits.emits} events; later events were dropped.`);
      return;
    }
    let json: string | undefined;
    try {
      json = JSON.stringify(event);
    } catch (thrown) {
      refuse('event_not_serialisable', `The emitted value is not JSON: ${runErrorOf(thrown).message}`);
      return;
    }
    if (json === undefined) {
      refuse('event_not_serialisable', `The emitted value is not JSON: it is ${describeType(event)}.`);
      return;
    }
    json = redactor.inJson(json);
    const meta = metaOf(metadata, (value) => redactor.inValue(value));
    const wrong = meta.name === undefined ? undefined : wrongName(meta.name);
    if (wrong) {
      refuse(wrong.code, wrong.message);
      return;
    }
    const bytes = sizeOf(json) + sizeOf(String(meta.id ?? ''));
    if (bytes > limits.eventBytes) {
      refuse('event_too_large', `An event may have at most ${limits.eventBytes} bytes of JSON; this one has ${bytes}.`);
      return;
    }
    if (total + bytes > LARGEST_EMITTED_BYTES) {
      stop(`A run may emit at most ${LARGEST_EMITTED_BYTES} bytes in total; later events were dropped.`);
      return;
    }
    count += 1;
    total += bytes;
    write({ k: 'emit', job, json, meta });
  };
}

const sizeOf = (text: string): number => Buffer.byteLength(text);

const describeType = (value: unknown): string => (value === undefined ? 'undefined' : `a ${typeof value}`);

function wrongName(name: string): { code: string; message: string } | undefined {
  if (name.startsWith('$')) {
    const message = `Stream names that begin with $ are reserved: ${cut(name, LONGEST_NAME)}`;
    return { code: 'reserved_stream', message };
  }
  if (!hasAtMost(name, LONGEST_NAME) || /\p{Cc}/u.test(name)) {
    const message = 'The name of a stream must have at most 128 characters and no control characters.';
    return { code: 'invalid_stream', message };
  }
  return undefined;
}

/**
 * Normalises the second argument of `$emit`. `ts` may be seconds, milliseconds, ISO text or a Date. Values are redacted
 * before they are cut or converted.
 */
export function metaOf(metadata: unknown, redact = (value: unknown) => value): EmitMeta {
  if (!isDict(metadata)) return {};
  const meta: EmitMeta = {};
  const { id, name, summary, ts, delivery_ts } = metadata;
  const shownId = redact(typeof id === 'number' && Number.isFinite(id) ? id : textOf(id));
  if (typeof shownId === 'number' || (isSet(id) && typeof shownId === 'string')) {
    meta.id = shownId;
    if (String(shownId) !== textOf(id)) meta.idHash = hashOf(textOf(id));
  }
  if (isSet(name) && name !== '') meta.name = textOf(redact(textOf(name)));
  if (isSet(summary)) meta.summary = cut(textOf(redact(textOf(summary))), LONGEST_SUMMARY);
  const time = milliseconds(ts instanceof Date ? ts : redact(ts));
  if (time !== undefined) meta.ts = time;
  const deliveryTime = milliseconds(delivery_ts instanceof Date ? delivery_ts : redact(delivery_ts));
  if (deliveryTime !== undefined) meta.deliveryTs = deliveryTime;
  return meta;
}

/** Loads `node:crypto` on first use, because few jobs need it. */
const hashOf = (text: string): string =>
  `sha256 ${process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex')}`;

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

function textOf(value: unknown): string {
  try {
    return isDict(value) && !(value instanceof Date) ? JSON.stringify(value) : String(value);
  } catch {
    return '';
  }
}

/** Smaller numbers are seconds: 1e11 is March 1973 in milliseconds and the year 5138 in seconds. */
const FIRST_MILLISECONDS = 1e11;
/** The latest time of a Date. */
const LAST_MILLISECONDS = 8.64e15;

export function milliseconds(value: unknown): number | undefined {
  if (value instanceof Date) return valid(value.getTime());
  if (typeof value === 'string') {
    const number = value.trim() === '' ? NaN : Number(value);
    return Number.isNaN(number) ? valid(Date.parse(value)) : milliseconds(number);
  }
  if (typeof value !== 'number') return undefined;
  return valid(Math.abs(value) < FIRST_MILLISECONDS ? value * 1000 : value);
}

const valid = (time: number): number | undefined =>
  Number.isFinite(time) && Math.abs(time) <= LAST_MILLISECONDS ? Math.round(time) : undefined;
