import * as z from 'zod';

/**
 * A JSON document in a message: its text (which preserves key order, unicode and keys such as `__proto__`), or the key of a
 * bucket object with the text when it is too large for a message.
 */
export const Payload = z.union([z.object({ json: z.string() }), z.object({ key: z.string() })]);
export type Payload = z.infer<typeof Payload>;

/** Payloads of larger messages go to the bucket: ten messages must fit into one SQS request and one invocation. */
export const LARGEST_INLINE_BYTES = 200_000;
