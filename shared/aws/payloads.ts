import { type EncodedJson, isOwnObject, LARGEST_INLINE_BYTES, type Payload } from '../domain/event/payload.ts';
import { messageText } from '../domain/run/message-text.ts';
import type { Bucket } from './bucket.ts';

/*
 * A payload that is too large for a message is an object of the bucket. Each object has one owner: a trigger, a
 * delivery message or a delivery. Its key follows from the owner, so that a repetition overwrites it. The owner deletes
 * it when it is done; an object that stays after a crash expires.
 */

/** Stores payloads that are too large for a message. */
export type PayloadStore = Pick<Bucket, 'putText'>;

export interface MessageBody {
  body: string;
  /** Bytes of the body in UTF-8, if they were counted. */
  bytes?: number;
}

/** The body of a message. A payload too large for a message is first written to the bucket, under this key. */
export async function withPayload<M extends { payload: Payload }>(
  store: PayloadStore,
  message: M,
  key: string,
): Promise<MessageBody> {
  const { payload } = message;
  // A UTF-16 unit has 1 to 3 bytes in UTF-8, so most messages need no byte count.
  const isSurelyTooLarge = 'json' in payload && payload.json.length > LARGEST_INLINE_BYTES;
  if (!isSurelyTooLarge) {
    const body = messageText(message);
    if (body.length * 3 <= LARGEST_INLINE_BYTES || !('json' in payload)) return { body };
    const bytes = Buffer.byteLength(body);
    if (bytes <= LARGEST_INLINE_BYTES) return { body, bytes };
  }
  return {
    body: messageText({ ...message, payload: await writtenPayload(store, Buffer.from(payload.json), key) }),
  };
}

/** The payload of an item of the table, like that of a message. */
export async function storedPayload(
  store: PayloadStore,
  { json, utf8 = Buffer.from(json) }: EncodedJson,
  key: string,
): Promise<Payload> {
  return utf8.length <= LARGEST_INLINE_BYTES ? { json } : writtenPayload(store, utf8, key);
}

async function writtenPayload(store: PayloadStore, utf8: Buffer, key: string): Promise<Payload> {
  await store.putText(key, utf8);
  return { key, bytes: utf8.length };
}

/**
 * The payload for another owner, which gets an object of its own. Undefined if the first owner is done with it, so that
 * the other one had its copy before.
 */
export async function copiedPayload(
  bucket: Pick<Bucket, 'copyIfPresent'>,
  payload: Payload,
  key: string,
): Promise<Payload | undefined> {
  if (!isOwnObject(payload)) return payload;
  if (!(await bucket.copyIfPresent(payload.key, key))) return undefined;
  return { key, bytes: payload.bytes };
}

/** Deletes the object of an owner that is done. Repeating it does nothing. */
export async function releasePayload(bucket: Pick<Bucket, 'delete'>, payload: Payload | undefined): Promise<void> {
  if (isOwnObject(payload)) await bucket.delete(payload.key);
}

/** The JSON text of a payload; undefined when its object has expired. */
export const payloadText = async (bucket: Pick<Bucket, 'getText'>, payload: Payload): Promise<string | undefined> =>
  'json' in payload ? payload.json : bucket.getText(payload.key);

/** Like {@link payloadText}, in UTF-8. */
export const payloadBytes = async (bucket: Pick<Bucket, 'getBytes'>, payload: Payload): Promise<Buffer | undefined> =>
  'json' in payload ? Buffer.from(payload.json) : bucket.getBytes(payload.key);
