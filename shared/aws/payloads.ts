import { LARGEST_INLINE_BYTES, type Payload } from '../domain/message.ts';
import { messageText } from '../domain/message-text.ts';
import type { TextBucket } from './bucket.ts';
import { payloadKey } from './object-keys.ts';

/** Stores payloads that are too large for a message. */
export type PayloadStore = Pick<TextBucket, 'putText'>;

/** The message's text. A payload too large for a message is first written to the bucket. */
export async function withPayload<M extends { payload: Payload }>(
  store: PayloadStore,
  message: M,
): Promise<string> {
  const text = messageText(message);
  // A UTF-16 unit has at most 3 bytes in UTF-8, so most messages need no byte count.
  if (text.length * 3 <= LARGEST_INLINE_BYTES || Buffer.byteLength(text) <= LARGEST_INLINE_BYTES) return text;
  if (!('json' in message.payload)) return text;
  const key = payloadKey(message.payload.json);
  await store.putText(key, message.payload.json);
  return messageText({ ...message, payload: { key } });
}

/** The JSON text of a payload; undefined when its object has expired. */
export const payloadText = async (
  bucket: Pick<TextBucket, 'getText'>,
  payload: Payload,
): Promise<string | undefined> => ('json' in payload ? payload.json : bucket.getText(payload.key));
