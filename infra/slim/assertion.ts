class AssertionError extends Error {
  override readonly name = 'AssertionError';
  readonly code = 'ERR_ASSERTION';
}

/**
 * Replaces Node's assertion, which reads and parses the source around a failure for its message. The source of a bundle
 * is one line of several hundred kilobytes, so this blocks the thread for seconds. Responses of untrusted hosts reach
 * assertions of undici.
 */
export function assert(value: unknown, message?: unknown): asserts value {
  if (value) return;
  if (message instanceof Error) throw message;
  throw new AssertionError(typeof message === 'string' ? message : 'An assertion failed');
}
