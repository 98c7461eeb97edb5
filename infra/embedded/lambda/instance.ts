import { type Code, type Globals, type Handler } from './code.ts';
import type { FunctionSpec } from './function-spec.ts';
import { functionError, type Outcome } from './outcome.ts';
import { type Invocation, InvocationContext } from './invocation.ts';
import type { InstanceLife } from './instance-life.ts';
import type { Instance } from './runtime.ts';
import { isStreaming, ResponseStream } from './response-stream.ts';

/**
 * One loaded copy of a function's code. On AWS an instance has one invocation at a time; here concurrent invocations
 * share an instance, because all of them run in one thread. Code that keeps the state of an invocation in a module
 * therefore fails here but not on AWS.
 */
export class LoadedInstance implements Instance {
  readonly #spec: FunctionSpec;
  readonly #globals: Globals;
  readonly #life: InstanceLife | undefined;
  readonly #handler: Handler;
  readonly #streaming: boolean;

  constructor(
    code: Code,
    { spec, globals, life }: { spec: FunctionSpec; globals: Globals; life?: InstanceLife | undefined },
  ) {
    this.#spec = spec;
    this.#globals = globals;
    this.#life = life;
    this.#handler = code.load(globals);
    this.#streaming = isStreaming(this.#handler);
  }

  run(invocation: Invocation, requestId: string): Promise<Outcome> {
    const { event, piece, onOpen } = invocation;
    const context = new InvocationContext(this.#spec, requestId, invocation);
    const running = { event, piece, onOpen, context };
    const outcome = this.#streaming ? this.#runStreaming(running) : this.#runBuffered(running);
    return this.#life ? Promise.race([outcome, this.#life.interrupted]) : outcome;
  }

  dispose(): void {
    this.#globals.process.emit('SIGTERM');
  }

  async #runBuffered({ event, piece, context }: Running): Promise<Outcome> {
    try {
      const value = await this.#respond(event, context);
      if (!piece) return { ok: true, value };
      await piece(Buffer.from(JSON.stringify(value ?? null)));
      return { ok: true, value: undefined };
    } catch (thrown) {
      return { ok: false, error: functionError(thrown) };
    }
  }

  #respond(event: unknown, context: InvocationContext): unknown {
    if (this.#handler.length < 3) return this.#handler(event, context);
    return new Promise((resolve, reject) => {
      const callback = (error: unknown, value: unknown) => {
        if (error !== undefined && error !== null) reject(error as Error);
        else resolve(value);
      };
      const returned = this.#handler(event, context, callback);
      if (returned instanceof Promise) returned.then(resolve, reject);
    });
  }

  /** Ends when the handler has returned and the stream has ended, in any order. */
  async #runStreaming({ event, piece, onOpen, context }: Running): Promise<Outcome> {
    const pieces: Buffer[] = [];
    const stream = new ResponseStream(piece ?? ((each) => void pieces.push(each)));
    onOpen?.(stream);
    try {
      const ended = new Promise<void>((resolve, reject) => {
        stream.once('finish', resolve);
        stream.once('close', resolve);
        stream.once('error', reject);
      });
      await Promise.all([this.#handler(event, stream, context), ended]);
      return { ok: true, value: piece ? undefined : Buffer.concat(pieces).toString() };
    } catch (thrown) {
      stream.destroy();
      return { ok: false, error: functionError(thrown) };
    }
  }
}

interface Running {
  event: unknown;
  piece: Invocation['piece'];
  onOpen: Invocation['onOpen'];
  context: InvocationContext;
}
