class AssertionError extends Error {
  override readonly name = 'AssertionError';
  readonly code = 'ERR_ASSERTION';
}

/**
 * Stands in for Node's, which reads and parses the source around a failed assertion for its message: in a bundle, one line of some hundred
 * kilobytes, that holds the thread up for seconds. Answers of hostile hosts reach assertions of undici.
 */
export function assert(value: unknown, message?: unknown): asserts value {
  if (value) return;
  if (message instanceof Error) throw message;
  throw new AssertionError(typeof message === 'string' ? message : 'An assertion failed');
}
