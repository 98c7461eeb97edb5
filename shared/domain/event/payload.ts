import * as z from 'zod';

/**
 * An object of the bucket with the text of a payload. It has one owner, which deletes it when it is done. Without
 * `bytes` it is of an earlier release, and several owners may share it: then it expires.
 */
const StoredPayload = z.object({ key: z.string(), bytes: z.number().optional() });

/**
 * A JSON document in a message: its text (which preserves key order, unicode and keys such as `__proto__`), or the
 * object with the text when it is too large for a message.
 */
export const Payload = z.union([z.object({ json: z.string() }), StoredPayload]);
export type Payload = z.infer<typeof Payload>;

/** Whether the payload is an object that belongs to the holder alone. */
export const isOwnObject = (payload: Payload | undefined): payload is { key: string; bytes: number } =>
  payload !== undefined && 'key' in payload && payload.bytes !== undefined;

/** Payloads of larger messages go to the bucket: ten messages must fit into one SQS request and one invocation. */
export const LARGEST_INLINE_BYTES = 200_000;

/** JSON text, and its UTF-8 if it was encoded already: that of a large text costs as much as its hash. */
export interface EncodedJson {
  json: string;
  utf8?: Buffer | undefined;
}

/** Encodes a text that is certainly too large for a message, because several writes need its bytes. */
export const encodedIfLarge = (json: string): EncodedJson =>
  json.length > LARGEST_INLINE_BYTES ? { json, utf8: Buffer.from(json) } : { json };
