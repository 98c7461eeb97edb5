import { type AnyFunction, isFunction } from '../guards.ts';

/** A connection that Node has begun, and whose handle waits for the path to connect to. */
interface Deferred {
  connect: (path: string) => void;
}

/**
 * Lets a socket begin to connect before the path of its Unix socket is known: Node's own state then is that of any connection in progress,
 * so early writes, `end`, timeouts and TLS behave as usual. `pipe` is the prototype of the handles of Unix sockets.
 */
export class DeferredConnects {
  readonly #directory: string;
  readonly #waiting = new Map<string, Deferred | undefined>();
  #count = 0;

  constructor(pipe: object, directory: string) {
    this.#directory = directory;
    const original: unknown = Reflect.get(pipe, 'connect');
    if (!isFunction(original)) throw new Error('A Unix socket has no connect.');
    const waiting = this.#waiting;
    Reflect.set(pipe, 'connect', function (this: object, request: object, path: string): unknown {
      if (!waiting.has(path)) return original.call(this, request, path);
      waiting.set(path, { connect: (target) => complete(original, this, request, target) });
      return 0;
    });
  }

  /** A path that stands for the later one. */
  reserve(): string {
    const path = `${this.#directory}/p${(this.#count += 1)}`;
    this.#waiting.set(path, undefined);
    return path;
  }

  connect(reserved: string, path: string): void {
    const deferred = this.#waiting.get(reserved);
    this.#waiting.delete(reserved);
    deferred?.connect(path);
  }

  drop(reserved: string): void {
    this.#waiting.delete(reserved);
  }
}

/** The handle reports an error that it finds at once in the same way as a later one. */
function complete(original: AnyFunction, handle: object, request: object, path: string): void {
  const status = original.call(handle, request, path);
  const oncomplete: unknown = Reflect.get(request, 'oncomplete');
  if (status !== 0 && isFunction(oncomplete)) oncomplete.call(request, status, handle, request, true, true);
}
