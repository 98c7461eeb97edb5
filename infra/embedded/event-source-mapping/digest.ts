import { hash } from 'node:crypto';

/** A record of a queue event, as far as its digest is concerned. */
interface Digested {
  readonly body: string;
  readonly md5OfBody: string;
}

/** JSON of a digest, and of what stands for one that is not computed yet. */
export const DIGEST_BYTES = '"841a2d689ad86bd1611447453c22c6fc"'.length;
const MARK = null;
export const MARK_BYTES = String(MARK).length;

/** Gives a record a digest that is computed when a function reads it, which hardly any does. */
export function withDigest<Record extends object & { body: string }>(record: Record): Record & Digested {
  return Object.defineProperty(record, 'md5OfBody', {
    enumerable: true,
    configurable: true,
    get: md5OfBody,
  }) as Record & Digested;
}

function md5OfBody(this: { readonly body: string }): string {
  return hash('md5', this.body);
}

const isQueueEvent = (event: unknown): event is { Records: Record<string, unknown>[] } => {
  const records = (event as { Records?: unknown } | null)?.Records;
  return Array.isArray(records) && (records[0] as { eventSource?: unknown } | null)?.eventSource === 'aws:sqs';
};

/** A record without its digest, which must not be computed only to be written. */
export function withoutDigest(record: object): object {
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(record))
    copy[name] = name === 'md5OfBody' ? MARK : record[name as keyof typeof record];
  return copy;
}

/** An event for another thread. The bodies of queue records are not part of the JSON, which spares their quoting. */
export interface WrittenEvent {
  readonly json: string;
  readonly bodies?: readonly unknown[];
}

export function writeEvent(event: unknown): WrittenEvent {
  if (!isQueueEvent(event)) return { json: JSON.stringify(event) };
  return {
    json: JSON.stringify({
      ...event,
      Records: event.Records.map((record) => ({ ...withoutDigest(record), body: undefined })),
    }),
    bodies: event.Records.map(({ body }) => body),
  };
}

export function readEvent({ json, bodies = [] }: WrittenEvent): unknown {
  const event: unknown = JSON.parse(json);
  if (!isQueueEvent(event)) return event;
  for (const [index, record] of event.Records.entries()) {
    const body = bodies[index];
    if (body !== undefined) record['body'] = body;
    if (record['md5OfBody'] === MARK) withDigest(record as { body: string });
  }
  return event;
}
