import type { Socket } from 'node:net';

interface Half {
  /** From the process. */
  socket?: Socket;
  /** To its target. */
  target?: Socket;
}

/** Failed connections that are remembered until their half comes. */
const MAX_FAILED = 1024;

/**
 * The two halves of each connection of a process. They come in any order, and either may have ended before the other
 * comes.
 */
export class ConnectionPairs {
  readonly #timeoutMs: number;
  readonly #halves = new Map<number, { half: Half; late: NodeJS.Timeout }>();
  readonly #failed = new Set<number>();

  /** A half whose other half does not come in `timeoutMs` is closed. */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  add(id: number, half: Half): void {
    if (this.#failed.delete(id)) return close(half);
    const first = this.#halves.get(id);
    const { socket, target } = { ...first?.half, ...half };
    clearTimeout(first?.late);
    if (socket && target) {
      this.#halves.delete(id);
      pipeBoth(socket, target);
      return;
    }
    const late = setTimeout(() => {
      this.#halves.delete(id);
      close(half);
    }, this.#timeoutMs);
    this.#halves.set(id, { half, late: late.unref() });
  }

  /** The target cannot be reached: the other half is closed now, or as soon as it comes. */
  fail(id: number): void {
    const first = this.#halves.get(id);
    if (first) {
      clearTimeout(first.late);
      this.#halves.delete(id);
      return close(first.half);
    }
    this.#failed.add(id);
    const [oldest] = this.#failed;
    if (oldest !== undefined && this.#failed.size > MAX_FAILED) this.#failed.delete(oldest);
  }
}

function close({ socket, target }: Half): void {
  socket?.destroy();
  target?.destroy();
}

function pipeBoth(socket: Socket, target: Socket): void {
  socket.pipe(target).pipe(socket);
  socket.on('close', () => target.destroy());
  target.on('close', () => socket.destroy());
  if (target.destroyed) socket.destroy();
  if (socket.destroyed) target.destroy();
}
