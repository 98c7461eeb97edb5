import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { ServiceError } from '../../domain/errors.ts';
import { LARGEST_HTTP_BODY } from '../../domain/event/http-event.ts';

type Decode = (bytes: Uint8Array) => Buffer;

const limit = { maxOutputLength: LARGEST_HTTP_BODY };

const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', (bytes) => gunzipSync(bytes, limit)],
  ['x-gzip', (bytes) => gunzipSync(bytes, limit)],
  ['deflate', inflated],
  ['br', (bytes) => brotliDecompressSync(bytes, limit)],
]);

/** Some clients send `deflate` without the zlib header that the standard demands. */
function inflated(bytes: Uint8Array): Buffer {
  try {
    return inflateSync(bytes, limit);
  } catch (error) {
    if (isTooLarge(error)) throw error;
    return inflateRawSync(bytes, limit);
  }
}

/** Codings of one body: each costs as much as a decoding of the largest body. */
const MAX_CODINGS = 3;

/**
 * The content of a body under its `Content-Encoding`. A body stays as it was sent under an unknown coding, and when it
 * cannot be decoded. Throws when the content is larger than a body may be.
 */
export function decodedContent(body: Buffer | string, contentEncoding: string | undefined): Buffer | string {
  if (contentEncoding === undefined) return body;
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length === 0 || codings.length > MAX_CODINGS) return body;
  let content = Buffer.from(body);
  try {
    // The last coding was applied last.
    for (const coding of codings.reverse()) {
      const decode = DECODERS.get(coding);
      if (!decode) return body;
      content = Buffer.from(decode(content));
    }
    return content;
  } catch (error) {
    if (isTooLarge(error)) throw tooLarge();
    return body;
  }
}

const isTooLarge = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';

export const tooLarge = () =>
  new ServiceError(
    'too_large',
    'The body of a request to an endpoint must not exceed 512 KB; send a link to larger data.',
  );
