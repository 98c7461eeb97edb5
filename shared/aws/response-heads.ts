import type { Socket } from 'node:net';

/** Longest header section of a response, and of all interim responses before it. */
export const HEAD_BYTES = 256 * 1024;
const INTERIM_BYTES = 64 * 1024;
/** Interim responses (`100 Continue`, `103 Early Hints` …) before the response. */
const INTERIM_RESPONSES = 8;

const MAX_CHUNKS = 256;

const NOTHING = Buffer.alloc(0);
const START = Buffer.from('HTTP/');
const END = Buffer.from('\r\n\r\n');
const [CR, LF, ONE, ZERO] = [0x0d, 0x0a, 0x31, 0x30];
/** `HTTP/1.1 100`: position of the status. */
const STATUS_AT = 9;

/** A response that is longer than what is read of one. */
class ResponseTooLongError extends Error {
  override readonly name = 'ResponseTooLongError';
  readonly code = 'ERR_RESPONSE_TOO_LONG';
}

/**
 * The bytes of one connection's responses as undici's parser takes them. It refuses some legal responses, and has no
 * limit for others: an unexpected `100 Continue`, the same `Content-Length` twice, interim responses without end, and
 * chunks with endless extensions.
 */
export class ResponseHeads {
  readonly #bodyBytes: number;
  #isHead = true;
  #chunks: Buffer[] = [];
  #tail: Buffer = NOTHING;
  #size = 0;
  #interim = 0;
  #interimBytes = 0;
  #read = 0;

  /** `bodyBytes`: bytes after the header section, with chunk sizes, extensions and trailers. */
  constructor(bodyBytes: number) {
    this.#bodyBytes = bodyBytes;
  }

  begin(): void {
    this.#isHead = true;
    this.#chunks = [];
    this.#size = this.#interim = this.#interimBytes = this.#read = 0;
  }

  /** The bytes that are passed on; none while a header section is not complete. Throws {@link ResponseTooLongError}. */
  take(chunk: Buffer): Buffer {
    if (!this.#isHead) return this.#body(chunk);
    const seam = this.#size === 0 ? chunk : Buffer.concat([this.#tail, chunk]);
    this.#tail = seam.subarray(1 - END.length);
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    const isFirst = this.#size === chunk.length;
    if (isFirst || seam.includes(END)) return this.#complete(this.#whole());
    // A sender of single bytes must not take an object for each.
    if (this.#chunks.length > MAX_CHUNKS) this.#whole();
    return this.#incomplete();
  }

  #whole(): Buffer {
    const [only = NOTHING, ...more] = this.#chunks;
    const whole = more.length === 0 ? only : Buffer.concat(this.#chunks);
    this.#chunks = [whole];
    return whole;
  }

  #complete(bytes: Buffer): Buffer {
    if (!isResponse(bytes)) return this.#passOn(bytes);
    const end = bytes.indexOf(END);
    if (end < 0) return this.#incomplete();
    const size = end + END.length;
    if (size > HEAD_BYTES) throw tooLong();
    if (bytes[STATUS_AT] === ONE && !isUpgrade(bytes)) return this.#dropInterim(bytes, size);
    const rest = bytes.subarray(size);
    const head = bytes.subarray(0, size);
    const single = withSingleLength(head);
    this.#isHead = false;
    this.#chunks = [];
    this.#body(rest);
    return single === head ? bytes : Buffer.concat([single, rest]);
  }

  #dropInterim(bytes: Buffer, size: number): Buffer {
    this.#interim += 1;
    this.#interimBytes += size;
    if (this.#interim > INTERIM_RESPONSES || this.#interimBytes > INTERIM_BYTES)
      throw new ResponseTooLongError(
        `More than ${INTERIM_RESPONSES} interim responses (1xx) or ${INTERIM_BYTES / 1024} KB of them came before the response`,
      );
    const rest = bytes.subarray(size);
    this.#chunks = [];
    this.#size = 0;
    return rest.length === 0 ? NOTHING : this.take(rest);
  }

  #incomplete(): Buffer {
    if (this.#size > HEAD_BYTES) throw tooLong();
    return NOTHING;
  }

  /** No HTTP response: undici reports the error. */
  #passOn(bytes: Buffer): Buffer {
    this.#isHead = false;
    this.#chunks = [];
    return this.#body(bytes);
  }

  #body(chunk: Buffer): Buffer {
    this.#read += chunk.length;
    if (this.#read > this.#bodyBytes)
      throw new ResponseTooLongError(`The response is longer than ${this.#bodyBytes / 1024} KB`);
    return chunk;
  }
}

const tooLong = () =>
  new ResponseTooLongError(`The header section of the response is longer than ${HEAD_BYTES / 1024} KB`);

/** False for bytes that are not the beginning of a response with lines as HTTP demands them. */
function isResponse(bytes: Buffer): boolean {
  const length = Math.min(bytes.length, START.length);
  if (bytes.compare(START, 0, length, 0, length) !== 0) return false;
  const line = bytes.indexOf(LF);
  return line < 0 || bytes[line - 1] === CR;
}

/** `101 Switching Protocols`: nothing of HTTP comes after it. */
const isUpgrade = (bytes: Buffer): boolean => bytes[STATUS_AT + 1] === ZERO && bytes[STATUS_AT + 2] === ONE;

const LENGTH = /\r\ncontent-length:([^\r\n]*)/gi;

/**
 * The header section with one `Content-Length` of those that all say the same.
 * https://www.rfc-editor.org/rfc/rfc9110#section-8.6
 */
function withSingleLength(head: Buffer): Buffer {
  const text = head.toString('latin1');
  const values = [...text.matchAll(LENGTH)].flatMap(([, value = '']) => value.split(',').map((each) => each.trim()));
  const [first = ''] = values;
  if (values.length < 2 || !/^\d+$/.test(first) || values.some((value) => value !== first)) return head;
  return Buffer.from(`${text.replace(LENGTH, '').slice(0, -2)}content-length: ${first}\r\n\r\n`, 'latin1');
}

/**
 * Puts {@link ResponseHeads} before the parser of a connection that sends one request at a time, each with its whole
 * body at once.
 */
export function limitResponses(socket: Socket, bodyBytes: number): void {
  const heads = new ResponseHeads(bodyBytes);
  const { push } = socket;
  let written = 0;
  socket.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (!Buffer.isBuffer(chunk)) return push.call(socket, chunk, encoding);
    // Another request was sent since the last bytes came.
    if (socket.bytesWritten !== written) {
      written = socket.bytesWritten;
      heads.begin();
    }
    try {
      return push.call(socket, heads.take(chunk));
    } catch (error) {
      socket.destroy(error instanceof Error ? error : new Error(String(error)));
      return false;
    }
  };
}
