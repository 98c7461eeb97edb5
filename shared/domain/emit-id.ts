import { hash } from 'node:crypto';
import type { StreamName } from './stream.ts';

/** 132 bits of a SHA-256 as 22 characters of [A-Za-z0-9_-]. */
export const shortHash = (text: string): string => hash('sha256', text, 'base64url').slice(0, 22);

/** Identity of an emit: its own id when it has one, otherwise its content. */
export interface EmitIdentity {
  stream: StreamName;
  id: string | undefined;
  json: string;
}

/** Longer content is identified by its hash: joined to other text, it would be copied. */
const LONGEST_IN_IDENTITY = 4096;

function identityOf({ stream, id, json }: EmitIdentity): string {
  if (id !== undefined) return `i\0${stream}\0${id}`;
  return json.length > LONGEST_IN_IDENTITY
    ? `h\0${stream}\0${hash('sha256', json, 'base64url')}`
    : `c\0${stream}\0${json}`;
}

/**
 * Makes the emit ids of one trigger; equal emits get different ids by their ordinal. A repeated run of the trigger makes the same ids for
 * the same emits.
 */
export function emitNamer(triggerId: string): (emit: EmitIdentity) => string {
  const counts = new Map<string, number>();
  return (emit) => {
    const identity = identityOf(emit);
    const ordinal = counts.get(identity) ?? 0;
    counts.set(identity, ordinal + 1);
    return shortHash(`${triggerId}\0${ordinal}\0${identity}`);
  };
}
