import type { RunnerLine, RunLimits } from '../domain/run.ts';
import { isDict } from './guards.ts';
import type { Redactor } from './redaction/redactor.ts';
import { runError, runErrorOf } from './thrown.ts';

export type EmitMeta = Extract<RunnerLine, { k: 'emit' }>['meta'];

/** All events of one job; a stream of answers holds 200 MB on AWS, and a request has up to ten jobs. */
const LARGEST_TOTAL_BYTES = 32 * 1024 * 1024;
const LONGEST_SUMMARY = 4096;
const LONGEST_NAME = 128;

interface Emitting {
  job: string;
  limits: Pick<RunLimits, 'emits' | 'eventBytes'>;
  write: (line: RunnerLine) => void;
  redactor: Pick<Redactor, 'inValue' | 'inJson'>;
}

/** `this.$emit` of one job. It never throws: what cannot be emitted becomes an error line and the run goes on. */
export function emitter({
  job,
  limits,
  write,
  redactor,
}: Emitting): (event: unknown, meta?: unknown) => void {
  let count = 0;
  let total = 0;
  let isFull = false;
  const refuse = (code: string, message: string) => {
    write({ k: 'error', job, error: runError(code, message) });
  };
  const stop = (message: string) => {
    // Once: a loop that emits without end must not fill `$errors` either.
    if (!isFull) refuse('too_many_emits', message);
    isFull = true;
  };

  return (event, given) => {
    if (isFull) return;
    if (count >= limits.emits) {
      stop(`A run may emit ${limits.emits} events; what it emitted after that was dropped.`);
      return;
    }
    let json: string | undefined;
    try {
      json = JSON.stringify(event);
    } catch (thrown) {
      refuse('event_not_serialisable', `The emitted value is no JSON: ${runErrorOf(thrown).message}`);
      return;
    }
    if (json === undefined) {
      refuse('event_not_serialisable', `The emitted value is no JSON: it is ${describeType(event)}.`);
      return;
    }
    json = redactor.inJson(json);
    const meta = metaOf(given, (value) => redactor.inValue(value));
    const wrong = meta.name === undefined ? undefined : wrongName(meta.name);
    if (wrong) {
      refuse(wrong.code, wrong.message);
      return;
    }
    const bytes = sizeOf(json) + sizeOf(String(meta.id ?? ''));
    if (bytes > limits.eventBytes) {
      refuse(
        'event_too_large',
        `An event may have ${limits.eventBytes} bytes of JSON; this one has ${bytes}.`,
      );
      return;
    }
    if (total + bytes > LARGEST_TOTAL_BYTES) {
      stop(`A run may emit ${LARGEST_TOTAL_BYTES} bytes in all; what it emitted after that was dropped.`);
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
    const message = `Streams whose name begins with $ are the service's own; "${name.slice(0, LONGEST_NAME)}" cannot be emitted on.`;
    return { code: 'reserved_stream', message };
  }
  if (name.length > LONGEST_NAME || /\p{Cc}/u.test(name)) {
    const message = 'The name of a stream has at most 128 characters and no control characters.';
    return { code: 'invalid_stream', message };
  }
  return undefined;
}

/**
 * The second argument of `$emit`, made right: `ts` may be seconds, milliseconds, ISO text or a Date. A value is redacted before it
 * is cut or converted.
 */
export function metaOf(given: unknown, redact = (value: unknown) => value): EmitMeta {
  if (!isDict(given)) return {};
  const meta: EmitMeta = {};
  const { id, name, summary, ts, delivery_ts } = given;
  const shownId = redact(typeof id === 'number' && Number.isFinite(id) ? id : textOf(id));
  if (typeof shownId === 'number' || (isGiven(id) && typeof shownId === 'string')) {
    meta.id = shownId;
    if (String(shownId) !== textOf(id)) meta.idHash = hashOf(textOf(id));
  }
  if (isGiven(name) && name !== '') meta.name = textOf(redact(textOf(name)));
  if (isGiven(summary)) meta.summary = textOf(redact(textOf(summary))).slice(0, LONGEST_SUMMARY);
  const time = milliseconds(ts instanceof Date ? ts : redact(ts));
  if (time !== undefined) meta.ts = time;
  const deliveryTime = milliseconds(delivery_ts instanceof Date ? delivery_ts : redact(delivery_ts));
  if (deliveryTime !== undefined) meta.deliveryTs = deliveryTime;
  return meta;
}

/** Few jobs need it. */
const hashOf = (text: string): string =>
  `sha256 ${process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex')}`;

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

function textOf(value: unknown): string {
  try {
    return isDict(value) && !(value instanceof Date) ? JSON.stringify(value) : String(value);
  } catch {
    return '';
  }
}

/** Below this a number is seconds: in milliseconds it would be March 1973, in seconds it is the year 5138. */
const FIRST_MILLISECONDS = 1e11;
/** The last instant a Date can hold. */
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
