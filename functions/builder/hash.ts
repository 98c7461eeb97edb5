import { createHash } from 'node:crypto';

export const sha256 = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex');

/** One hash over parts whose borders count, in an order that does not. */
export function hashOf(parts: Iterable<readonly string[]>): string {
  return sha256(
    [...parts]
      .map((part) => JSON.stringify(part))
      .sort()
      .join('\n'),
  );
}
