import { createHash, hash } from 'node:crypto';
import type { StreamName } from './stream.ts';

const short = (digest: string): string => digest.slice(0, 22);

/** 132 bits of a SHA-256 as 22 characters of [A-Za-z0-9_-]. */
export const shortHash = (text: string): string => short(hash('sha256', text, 'base64url'));

/** Identity of an emit: its own id when it has one, otherwise its content, as text or as its UTF-8. */
export interface EmitIdentity {
  stream: StreamName;
  id: string | undefined;
  json: string | Buffer;
}

/**
 * Makes the emit ids of one trigger; equal emits get different ids by their ordinal. A repeated run of the trigger
 * makes the same ids for the same emits.
 */
export function emitNamer(triggerId: string): (emit: EmitIdentity) => string {
  /**
   * By the id of the first of equal emits. Content is only hashed here: as a key of a map it would be hashed once more.
   */
  const counts = new Map<string, number>();
  return ({ stream, id, json }) => {
    const scope = `${id === undefined ? 'c' : 'i'}\0${stream}`;
    const idOf = (ordinal: number) => {
      const before = `${triggerId}\0${ordinal}\0${scope}\0`;
      const content = id ?? json;
      // Hashing one text takes a quarter of the time.
      if (typeof content === 'string') return shortHash(before + content);
      return short(createHash('sha256').update(before).update(content).digest('base64url'));
    };
    const first = idOf(0);
    const ordinal = counts.get(first) ?? 0;
    counts.set(first, ordinal + 1);
    return ordinal === 0 ? first : idOf(ordinal);
  };
}
