import { Writable } from 'node:stream';

const STREAMING = Symbol.for('aws.lambda.runtime.handler.streaming');

/** What the code of a function finds as `awslambda`, as in Lambda's Node runtime. */
export const awslambda = {
  streamifyResponse: <Handler extends object>(handler: Handler): Handler =>
    Object.assign(handler, { [STREAMING]: 'response' }),
  HttpResponseStream: {
    /** Status and headers go ahead of the body as JSON, eight NUL bytes between them. */
    from(stream: Writable, prelude: object): Writable {
      stream.write(JSON.stringify(prelude));
      stream.write(new Uint8Array(8));
      return stream;
    },
  },
};

export const isStreaming = (handler: object): boolean => STREAMING in handler;

/** What a streaming handler writes to: each piece goes to the caller as it is written. */
export class ResponseStream extends Writable {
  private readonly piece: (piece: Buffer) => void;

  constructor(piece: (piece: Buffer) => void) {
    super({ highWaterMark: 1 << 20 });
    this.piece = piece;
  }

  setContentType(): void {
    // The type only matters to function URLs, which nothing here has.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.piece(chunk);
    done();
  }
}
