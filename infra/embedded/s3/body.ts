import { Readable } from 'node:stream';

export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * The bytes of a `Body` in any form that SDK clients take. As in the SDK, a caller's buffer must not change until the
 * response.
 */
export function chunksOf(body: unknown): Chunks {
  if (body === undefined || body === null) return [];
  if (typeof body === 'string') return [Buffer.from(body)];
  if (body instanceof ArrayBuffer) return [Buffer.from(body)];
  if (ArrayBuffer.isView(body)) return [Buffer.from(body.buffer, body.byteOffset, body.byteLength)];
  if (body instanceof Blob) return bytesOf(body.stream());
  if (isAsyncIterable(body)) return bytesOf(body);
  throw new TypeError('The Body must be text, bytes, a Blob or a stream.');
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

/** A stream with the three methods that SDK clients add to the `Body` of a response. */
interface ResponseBody extends Readable {
  transformToByteArray(): Promise<Uint8Array>;
  transformToString(encoding?: string): Promise<string>;
  transformToWebStream(): ReadableStream;
}

/**
 * As in the SDK, a body can be transformed once; a second transformation throws. The caller owns the bytes of the
 * stream.
 */
export function responseBody(stream: Readable): ResponseBody {
  let transformed = false;
  const once = () => {
    if (transformed) throw new Error('The stream has already been transformed.');
    transformed = true;
  };
  const collect = async (): Promise<Buffer> => {
    once();
    const chunks: Buffer[] = [];
    for await (const chunk of stream as AsyncIterable<Uint8Array>)
      chunks.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    const [first] = chunks;
    return chunks.length === 1 && first ? first : Buffer.concat(chunks);
  };
  return Object.assign(stream, {
    transformToByteArray: collect,
    async transformToString(encoding?: string) {
      const bytes = await collect();
      if (encoding === undefined || Buffer.isEncoding(encoding)) return bytes.toString(encoding);
      return new TextDecoder(encoding).decode(bytes);
    },
    transformToWebStream() {
      once();
      return Readable.toWeb(stream) as ReadableStream;
    },
  });
}
