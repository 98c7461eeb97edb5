import { createHash, hash } from 'node:crypto';
import type { StreamName } from './stream.ts';

const short = (digest: string): string => digest.slice(0, 22);

/** 132 bits of a SHA-256 as 22 characters of [A-Za-z0-9_-]. */
export const shortHash = (text: string): string => short(hash('sha256', text, 'base64url'));

/** Identity of an emit: its own id when it has one, otherwise its content. */
export interface EmitIdentity {
  stream: StreamName;
  id: string | undefined;
  json: string;
}

/**
 * Makes the emit ids of one trigger; equal emits get different ids by their ordinal. A repeated run of the trigger makes the same ids for
 * the same emits.
 */
export function emitNamer(triggerId: string): (emit: EmitIdentity) => string {
  // By kind and stream. Content is counted and hashed as it is: joined to other text, it would be copied.
  const counts = new Map<string, Map<string, number>>();
  return ({ stream, id, json }) => {
    const scope = `${id === undefined ? 'c' : 'i'}\0${stream}`;
    const identity = id ?? json;
    const own = counts.get(scope) ?? new Map<string, number>();
    counts.set(scope, own);
    const ordinal = own.get(identity) ?? 0;
    own.set(identity, ordinal + 1);
    const all = createHash('sha256').update(`${triggerId}\0${ordinal}\0${scope}\0`).update(identity);
    return short(all.digest('base64url'));
  };
}
