import * as z from 'zod';

/**
 * A JSON document in a message: its text (which preserves key order, unicode and keys such as `__proto__`), or the key of a
 * bucket object with the text when it is too large for a message.
 */
export const Payload = z.union([z.object({ json: z.string() }), z.object({ key: z.string() })]);
export type Payload = z.infer<typeof Payload>;

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
