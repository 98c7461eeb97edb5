import { Writable } from 'node:stream';

const STREAMING = Symbol.for('aws.lambda.runtime.handler.streaming');

/** The global `awslambda` of Lambda's Node runtime. */
export const awslambda = {
  streamifyResponse: <Handler extends object>(handler: Handler): Handler =>
    Object.assign(handler, { [STREAMING]: 'response' }),
  HttpResponseStream: {
    /** Writes status and headers as JSON and eight NUL bytes before the body. */
    from(stream: Writable, prelude: object): Writable {
      stream.write(JSON.stringify(prelude));
      stream.write(new Uint8Array(8));
      return stream;
    },
  },
};

export const isStreaming = (handler: object): boolean => STREAMING in handler;

/** The stream of a streaming handler. The caller gets each piece as the handler writes it. */
export class ResponseStream extends Writable {
  readonly #piece: (piece: Buffer) => void;

  constructor(piece: (piece: Buffer) => void) {
    super({ highWaterMark: 1 << 20 });
    this.#piece = piece;
  }

  setContentType(): void {
    // Only function URLs use the content type, and the template has none.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#piece(chunk);
    done();
  }
}
