import { createHash } from 'node:crypto';

export const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** A hash over parts, independent of their order. */
export function hashOf(parts: Iterable<readonly string[]>): string {
  return sha256(
    [...parts]
      .map((part) => JSON.stringify(part))
      .sort()
      .join('\n'),
  );
}
