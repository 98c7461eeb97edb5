import { Readable } from 'node:stream';
import { Uint8ArrayBlobAdapter } from '@smithy/core/serde';
import { responseBody } from '../s3/body.ts';

/**
 * Inputs and outputs of calls as one line of JSON. A value that JSON lacks becomes an object with one of these keys.
 */
const BYTES = '$bytes';
const SET = '$set';
const DATE = '$date';
/** The bytes of a stream. */
const BODY = '$body';
/** The events of an event stream. */
const EVENTS = '$events';
/** An object that has one of these keys itself. */
const OBJECT = '$object';
const marks = new Set([BYTES, SET, DATE, BODY, EVENTS, OBJECT]);

export async function encode(value: unknown): Promise<unknown> {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) return { [BYTES]: Buffer.from(value).toString('base64') };
  if (value instanceof Date) return { [DATE]: value.getTime() };
  if (value instanceof Set) return { [SET]: await encodeAll([...(value as Set<unknown>)]) };
  if (Array.isArray(value)) return encodeAll(value);
  if (value instanceof Readable) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of value as AsyncIterable<Uint8Array>) chunks.push(chunk);
    return { [BODY]: Buffer.concat(chunks).toString('base64') };
  }
  if (Symbol.asyncIterator in value) {
    const events: unknown[] = [];
    for await (const event of value as AsyncIterable<unknown>) events.push(await encode(event));
    return { [EVENTS]: events };
  }
  const entries = Object.entries(value).map(async ([key, field]) => [key, await encode(field)] as const);
  const encoded = Object.fromEntries(await Promise.all(entries));
  const [only, ...more] = Object.keys(encoded);
  return only !== undefined && marks.has(only) && more.length === 0 ? { [OBJECT]: encoded } : encoded;
}

const encodeAll = (values: readonly unknown[]) => Promise.all(values.map((each) => encode(each)));

export function decode(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => decode(each));
  const entries = Object.entries(value);
  const [[key, field] = []] = entries;
  if (entries.length === 1) {
    if (key === BYTES) return Uint8ArrayBlobAdapter.mutate(Buffer.from(String(field), 'base64'));
    if (key === DATE) return new Date(Number(field));
    if (key === SET) return new Set(decode(field) as unknown[]);
    if (key === BODY) return responseBody(Readable.from([Buffer.from(String(field), 'base64')]));
    if (key === EVENTS) return Readable.from(decode(field) as unknown[]);
    if (key === OBJECT) return decodeFields(field as object);
  }
  return decodeFields(value);
}

const decodeFields = (value: object) =>
  Object.fromEntries(Object.entries(value).map(([name, each]) => [name, decode(each)]));
