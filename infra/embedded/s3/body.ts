import type { Readable } from 'node:stream';

export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** The bytes of a `Body`. As in the SDK, a caller's buffer must not change until the response. */
export function chunksOf(body: unknown): Chunks {
  if (typeof body === 'string') return [Buffer.from(body)];
  if (body instanceof Uint8Array) return [body];
  if (isAsyncIterable(body)) return bytesOf(body);
  throw new TypeError('The Body must be text, bytes or a stream.');
}

async function* bytesOf(source: AsyncIterable<unknown>): AsyncIterable<Uint8Array> {
  for await (const chunk of source) {
    if (typeof chunk === 'string') yield Buffer.from(chunk);
    else if (chunk instanceof Uint8Array) yield chunk;
    else throw new TypeError('The stream of a Body must have text or bytes.');
  }
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** A stream with the methods of an SDK's `Body` that callers use. */
interface ResponseBody extends Readable {
  transformToByteArray(): Promise<Uint8Array>;
  transformToString(encoding?: BufferEncoding): Promise<string>;
}

/** As in the SDK, a body can be transformed once. The caller owns the bytes of the stream. */
export function responseBody(stream: Readable): ResponseBody {
  let transformed = false;
  const collect = async (): Promise<Buffer> => {
    if (transformed) throw new Error('The stream has already been transformed.');
    transformed = true;
    const chunks: Buffer[] = [];
    for await (const chunk of stream as AsyncIterable<Uint8Array>)
      chunks.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    const [first] = chunks;
    return chunks.length === 1 && first ? first : Buffer.concat(chunks);
  };
  return Object.assign(stream, {
    transformToByteArray: collect,
    transformToString: async (encoding?: BufferEncoding) => (await collect()).toString(encoding),
  });
}
