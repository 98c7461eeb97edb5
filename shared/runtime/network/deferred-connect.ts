import fs from 'node:fs';
import { constants } from 'node:os';
import { type AnyFunction, type Dict, isFunction } from '../guards.ts';

/** Captured before component code can replace them. */
const { writeSync } = fs;
const { apply } = Reflect;

/** A connection that Node has begun to make. */
interface Started {
  /** Called once the gateway has this connection and, by {@link DeferredConnects.finish}, the target. */
  finish: () => void;
}

/**
 * Connects sockets to the gateway in Node's own way, so that early writes, `end`, timeouts and TLS behave as with any
 * connection. Each begins with a line that tells the gateway which request it belongs to; Node hears of the connection
 * when the target is connected, too.
 */
export class DeferredConnects {
  readonly #started = new Map<number, Started>();

  /** `pipe` is the prototype of the handles of Unix sockets, `path` the gateway's socket for connections. */
  constructor(pipe: object, path: string) {
    const original: unknown = Reflect.get(pipe, 'connect');
    if (!isFunction(original)) throw new Error('A Unix socket has no connect.');
    const started = this.#started;
    Reflect.set(pipe, 'connect', function (this: Dict, request: Dict, target: string): unknown {
      const id = idOf(target, path);
      if (id === undefined) return apply(original, this, [request, target]);
      return begin(original, { handle: this, request, id, path }, started);
    });
  }

  /** Node hears that the connection is made. */
  finish(id: number): void {
    this.#started.get(id)?.finish();
    this.#started.delete(id);
  }

  drop(id: number): void {
    this.#started.delete(id);
  }
}

/** The path that a socket connects to for the request `id`. */
export const deferredPath = (path: string, id: number): string => `${path}${id}`;

function idOf(target: string, path: string): number | undefined {
  const rest = target.startsWith(path) ? target.slice(path.length) : '';
  return /^\d+$/.test(rest) ? Number(rest) : undefined;
}

function begin(
  original: AnyFunction,
  { handle, request, id, path }: { handle: Dict; request: Dict; id: number; path: string },
  started: Map<number, Started>,
) {
  const complete: unknown = request['oncomplete'];
  let result: unknown[] | undefined;
  let isFinished = false;
  const settle = () => {
    if (result && (isFinished || result[0] !== 0) && isFunction(complete)) apply(complete, request, result);
  };
  started.set(id, {
    finish: () => {
      isFinished = true;
      settle();
    },
  });
  request['oncomplete'] = (...results: unknown[]) => {
    result = results;
    const { fd } = handle;
    if (results[0] === 0 && typeof fd === 'number' && fd >= 0) result[0] = statusOfWrite(fd, `${id}\n`);
    if (result[0] !== 0) started.delete(id);
    settle();
  };
  return apply(original, handle, [request, path]);
}

/**
 * Zero, or the negative number of the error: the gateway may have closed the connection. The line fits into the empty
 * buffer of a new one.
 */
function statusOfWrite(fd: number, line: string): number {
  try {
    writeSync(fd, line);
    return 0;
  } catch (error) {
    const errno: unknown = error instanceof Error ? Reflect.get(error, 'errno') : undefined;
    return typeof errno === 'number' ? errno : -constants.errno.EPIPE;
  }
}
