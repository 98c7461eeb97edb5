import { type EncodedJson, LARGEST_INLINE_BYTES, type Payload } from '../domain/event/payload.ts';
import { messageText } from '../domain/run/message-text.ts';
import type { Bucket } from './bucket.ts';
import { payloadKey } from './object-keys.ts';

/** Stores payloads that are too large for a message. */
export type PayloadStore = Pick<Bucket, 'putText'>;

export interface MessageBody {
  body: string;
  /** Bytes of the body in UTF-8, if they were counted. */
  bytes?: number;
}

/** The body of a message. A payload too large for a message is first written to the bucket. */
export async function withPayload<M extends { payload: Payload }>(
  store: PayloadStore,
  message: M,
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
    body: messageText({ ...message, payload: await writtenPayload(store, Buffer.from(payload.json)) }),
  };
}

/** The payload of an item of the table, like that of a message. */
export async function storedPayload(
  store: PayloadStore,
  { json, utf8 = Buffer.from(json) }: EncodedJson,
): Promise<Payload> {
  return utf8.length <= LARGEST_INLINE_BYTES ? { json } : writtenPayload(store, utf8);
}

async function writtenPayload(store: PayloadStore, utf8: Buffer): Promise<{ key: string }> {
  const key = payloadKey(utf8);
  await store.putText(key, utf8);
  return { key };
}

/** The JSON text of a payload; undefined when its object has expired. */
export const payloadText = async (
  bucket: Pick<Bucket, 'getText'>,
  payload: Payload,
): Promise<string | undefined> => ('json' in payload ? payload.json : bucket.getText(payload.key));

/** Like {@link payloadText}, in UTF-8. */
export const payloadBytes = async (
  bucket: Pick<Bucket, 'getBytes'>,
  payload: Payload,
): Promise<Buffer | undefined> =>
  'json' in payload ? Buffer.from(payload.json) : bucket.getBytes(payload.key);
