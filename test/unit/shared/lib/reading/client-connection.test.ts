import { expect, test } from 'vitest';
import { isGone } from '../../../../../shared/lib/reading/client-connection.ts';

/** A client that closes its connection this many iterations of the event loop from now. */
function closingAfter(iterations: number) {
  const client = { isOpen: true, whenOver: () => () => undefined };
  const close = (left: number) => {
    if (left === 0) client.isOpen = false;
    else setImmediate(close, left - 1);
  };
  close(iterations);
  return client;
}

test('a client is gone that closes the connection together with its request', async () => {
  for (const iterations of [0, 1, 2, 3]) expect(await isGone(closingAfter(iterations))).toBe(true);
});

test('a client that waits is not gone, and neither is one whose connection is unknown', async () => {
  expect(await isGone(closingAfter(1_000))).toBe(false);
  expect(await isGone(undefined)).toBe(false);
});
