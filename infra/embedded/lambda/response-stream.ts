import { Writable } from 'node:stream';

/**
 * Takes a piece of a streamed response. The stream of the function counts the piece as unsent until the promise is
 * fulfilled; it is never rejected.
 */
export type TakePiece = (piece: Buffer) => Promise<void> | undefined;

const STREAMING = Symbol.for('aws.lambda.runtime.handler.streaming');

/** The global `awslambda` of Lambda's Node runtime. */
export const awslambda = {
  streamifyResponse: <Handler extends object>(handler: Handler): Handler =>
    Object.assign(handler, { [STREAMING]: 'response' }),
  HttpResponseStream: {
    /**
     * Status and headers as JSON, and eight NUL bytes, go before the first `write`. As on AWS, `end` alone sends
     * neither.
     */
    from(stream: ResponseStream, prelude: object): Writable {
      stream.setContentType(HTTP_RESPONSE);
      stream.head = [JSON.stringify(prelude), new Uint8Array(8)];
      return stream;
    },
  },
};

/** The content type of a response that begins with its status and headers. */
export const HTTP_RESPONSE = 'application/vnd.awslambda.http-integration-response';

export const isStreaming = (handler: object): boolean => STREAMING in handler;

/** The stream of a streaming handler. The caller gets each piece as the handler writes it. */
export class ResponseStream extends Writable {
  /** Function URLs read it with the first piece. */
  contentType = 'application/octet-stream';
  /** Written before the first piece. */
  head: readonly (string | Uint8Array)[] = [];
  readonly #piece: TakePiece;

  constructor(piece: TakePiece) {
    super({ highWaterMark: 1 << 20 });
    this.#piece = piece;
  }

  setContentType(contentType: string): void {
    this.contentType = contentType;
  }

  override write(...piece: [chunk: unknown, ...rest: never[]]): boolean {
    const { head } = this;
    this.head = [];
    for (const each of head) super.write(each);
    return super.write(...piece);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const sent = this.#piece(chunk);
    if (sent) void sent.then(done);
    else done();
  }
}
