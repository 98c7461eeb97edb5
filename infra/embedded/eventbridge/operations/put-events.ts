import { randomUUID } from 'node:crypto';
import type { Input, Output } from '../../call.ts';
import { validationException } from '../../common-errors.ts';
import type { EventBridgeContext } from '../context.ts';
import { busNotFound } from '../errors.ts';
import { busOf, entriesOf, type Entry } from '../put-events-input.ts';

/**
 * 1 MB for all entries since 2026:
 * https://aws.amazon.com/blogs/compute/more-room-to-build-serverless-services-now-support-payloads-up-to-1-mb
 */
const MAX_BYTES = 1_048_576;

export async function putEvents(input: Input, context: EventBridgeContext): Promise<Output> {
  const entries = entriesOf(input);
  for (const name of entries.map(busOf)) if (!context.buses.has(name)) throw busNotFound(name);
  if (entries.reduce((sum, entry) => sum + sizeOf(entry), 0) > MAX_BYTES)
    throw validationException('Total size of the entries in the request is over the limit.');
  const results = await Promise.all(entries.map((entry) => putEntry(entry, context)));
  return { FailedEntryCount: results.filter(({ ErrorCode }) => ErrorCode !== undefined).length, Entries: results };
}

/** https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevents.html#eb-putevent-size */
const sizeOf = ({ Source = '', DetailType = '', Detail = '', Resources = [], Time }: Entry): number =>
  [Source, DetailType, Detail, ...Resources].reduce((sum, text) => sum + Buffer.byteLength(text), Time ? 14 : 0);

interface EntryResult extends Output {
  EventId?: string;
  ErrorCode?: string;
  ErrorMessage?: string;
}

async function putEntry(entry: Entry, { clock, region, account, record }: EventBridgeContext): Promise<EntryResult> {
  const missing = (['Source', 'DetailType', 'Detail'] as const).find((name) => !entry[name]);
  if (missing !== undefined) {
    const ErrorMessage = `Parameter ${missing} is not valid. Reason: ${missing} is a required argument.`;
    return { ErrorCode: 'InvalidArgument', ErrorMessage };
  }
  const { Source, DetailType, Detail = '', Resources = [], Time = new Date(clock.now()) } = entry;
  if (!isObject(Detail)) return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
  if (/^aws\./i.test(Source ?? ''))
    return { ErrorCode: 'NotAuthorizedForSourceException', ErrorMessage: 'Not authorized for the source.' };
  const id = randomUUID();
  const time = Time.toISOString().replace(/\.\d+Z$/, 'Z');
  const head = { version: '0', id, 'detail-type': DetailType, source: Source, account, time, region };
  const envelope = JSON.stringify({ ...head, resources: Resources }).slice(0, -1);
  await record(busOf(entry), `${envelope},"detail":${Detail}}`.replaceAll(NOT_IN_QUEUES, escaped));
  return { EventId: id };
}

/** A queue records the events, and takes these characters of JSON strings only as escapes. */
const NOT_IN_QUEUES = /[\ufffe\uffff]/g;
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16)}`;

function isObject(text: string): boolean {
  try {
    return text.trimStart().startsWith('{') && JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}
