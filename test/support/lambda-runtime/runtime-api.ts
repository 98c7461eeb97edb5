import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** The response of a function to one invocation, as the runtime client sent it. */
export interface RuntimeResponse {
  kind: 'response' | 'error';
  isStreamed: boolean;
  body: string;
  /** A streamed answer that failed on the way names its error here. */
  trailers: NodeJS.Dict<string>;
}

export interface InvokeOptions {
  tenantId?: string;
  /** Receives the pieces of the response as they arrive. */
  onPiece?: (text: string) => void;
}

interface Invocation extends InvokeOptions {
  id: string;
  payload: string;
  resolve(response: RuntimeResponse): void;
  reject(error: Error): void;
}

const INVOCATION = /^\/2018-06-01\/runtime\/invocation\/([^/]+)\/(response|error)$/;
const NEXT = '/2018-06-01/runtime/invocation/next';
const INIT_ERROR = '/2018-06-01/runtime/init/error';

/**
 * Stands in for the runtime API that an execution environment gets its invocations from, one at a time.
 * https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 */
export class RuntimeApi {
  /** Method and path of every request. */
  readonly requests: string[] = [];
  /** Reason why no further invocation is answered. */
  failure: Error | undefined;
  readonly #server: Server;
  readonly #waiting: Invocation[] = [];
  readonly #underway = new Map<string, Invocation>();
  readonly #invokedArn: string;
  #next: ServerResponse | undefined;

  private constructor(functionName: string) {
    this.#invokedArn = `arn:aws:lambda:us-east-1:123456789012:function:${functionName}`;
    this.#server = createServer((request, response) => {
      this.#respond(request, response).catch((error: unknown) =>
        this.fail(error instanceof Error ? error : new Error(String(error))),
      );
    });
  }

  static async start(functionName: string): Promise<RuntimeApi> {
    const api = new RuntimeApi(functionName);
    await new Promise<void>((resolve) => api.#server.listen(0, '127.0.0.1', resolve));
    return api;
  }

  /** `host:port`, as in `AWS_LAMBDA_RUNTIME_API`. */
  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  invoke(event: unknown, options: InvokeOptions = {}): Promise<RuntimeResponse> {
    return new Promise((resolve, reject) => {
      if (this.failure) {
        reject(this.failure);
        return;
      }
      this.#waiting.push({ id: randomUUID(), payload: JSON.stringify(event), resolve, reject, ...options });
      this.#deliver();
    });
  }

  /** Rejects all invocations: the environment did not start, or ended. */
  fail(error: Error): void {
    this.failure ??= error;
    for (const { reject } of [...this.#waiting.splice(0), ...this.#underway.values()]) reject(error);
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    this.requests.push(`${method} ${url}`);
    if (method === 'GET' && url === NEXT) {
      this.#next = response;
      this.#deliver();
      return;
    }
    if (url === INIT_ERROR) {
      this.fail(new Error(`The function did not start: ${await text(request)}`));
      response.writeHead(202).end('{"status":"OK"}');
      return;
    }
    const [, id = '', kind] = INVOCATION.exec(url) ?? [];
    const invocation = this.#underway.get(id);
    if (method !== 'POST' || !invocation) {
      response.writeHead(404).end();
      return;
    }
    const isStreamed = request.headers['lambda-runtime-function-response-mode'] === 'streaming';
    let body = '';
    for await (const piece of request.setEncoding('utf8')) {
      body += String(piece);
      invocation.onPiece?.(String(piece));
    }
    this.#underway.delete(id);
    response.writeHead(202).end('{"status":"OK"}');
    const { trailers } = request;
    invocation.resolve({ kind: kind === 'error' ? 'error' : 'response', isStreamed, body, trailers });
  }

  #deliver(): void {
    if (!this.#next) return;
    const invocation = this.#waiting.shift();
    if (!invocation) return;
    const { id, payload, tenantId } = invocation;
    this.#underway.set(id, invocation);
    this.#next
      .writeHead(200, {
        'content-type': 'application/json',
        'lambda-runtime-aws-request-id': id,
        'lambda-runtime-deadline-ms': String(Date.now() + 270_000),
        'lambda-runtime-invoked-function-arn': this.#invokedArn,
        'lambda-runtime-trace-id': 'Root=1-00000000-000000000000000000000000;Sampled=0',
        ...(tenantId === undefined ? {} : { 'lambda-runtime-aws-tenant-id': tenantId }),
      })
      .end(payload);
    this.#next = undefined;
  }
}
