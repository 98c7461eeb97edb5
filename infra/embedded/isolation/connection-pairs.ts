import type { Socket } from 'node:net';

interface Half {
  /** From the process. */
  socket?: Socket;
  /** To its target. */
  target?: Socket;
}

/** The two halves of each connection of a process. They come in any order, and either may have ended before the other comes. */
export class ConnectionPairs {
  readonly #timeoutMs: number;
  readonly #halves = new Map<number, { half: Half; late: NodeJS.Timeout }>();

  /** A half whose other half does not come in `timeoutMs` is closed. */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  add(id: number, half: Half): void {
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
      socket?.destroy();
      target?.destroy();
    }, this.#timeoutMs);
    this.#halves.set(id, { half, late: late.unref() });
  }
}

function pipeBoth(socket: Socket, target: Socket): void {
  socket.pipe(target).pipe(socket);
  socket.on('close', () => target.destroy());
  target.on('close', () => socket.destroy());
  if (target.destroyed) socket.destroy();
  if (socket.destroyed) target.destroy();
}
