/** The time of a request was up. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';
}

interface DeadlineOptions {
  ms: number;
  /** Ends the request earlier, with its own reason. */
  signal?: AbortSignal | undefined;
}

/**
 * Sends a request that ends when its time is up. The wait ends even if the request does not: Node forgets to abort a
 * request whose signal or `Request` it has collected (https://github.com/nodejs/node/issues/57736,
 * https://github.com/nodejs/undici/issues/4068).
 */
export async function withDeadline<T>(
  { ms, signal }: DeadlineOptions,
  send: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const stop = new AbortController();
  const stopped = new Promise<void>((resolve) => {
    stop.signal.addEventListener('abort', () => resolve());
  });
  const follow = () => stop.abort(signal?.reason);
  signal?.addEventListener('abort', follow, { once: true });
  const timer = setTimeout(() => stop.abort(new DeadlineExceeded()), ms);
  try {
    const sent = send(stop.signal);
    await Promise.race([sent, stopped]);
    stop.signal.throwIfAborted();
    return await sent;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', follow);
  }
}
