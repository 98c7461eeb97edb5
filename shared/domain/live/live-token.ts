import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { StreamName } from '../event/stream.ts';
import { EmitterId, UserId } from '../id.ts';
import { DEFAULT_TOKEN_STREAMS, LONGEST_TOKEN_SECONDS, MAX_TOKEN_STREAMS } from './stream-limits.ts';

/**
 * The right to follow one stream, without an API key. A token is these claims, signed with the hash of the API key that
 * made it: the service stores no token, and a token ends with its key.
 */
export const LiveClaims = z.object({
  userId: UserId,
  emitterId: EmitterId,
  stream: StreamName,
  /** Epoch ms. */
  until: z.number(),
  /** Tokens of an earlier release lack it. */
  maxStreams: z.int().min(1).max(MAX_TOKEN_STREAMS).default(DEFAULT_TOKEN_STREAMS),
  /** Random, so that no two tokens are equal: each has its own streams. */
  id: z.string().default(''),
});
export type LiveClaims = z.infer<typeof LiveClaims>;

/** Tells tokens from API keys. */
const PREFIX = 'lt_';

const signatureOf = (claims: string, keyHash: string): Buffer => createHmac('sha256', keyHash).update(claims).digest();

export function signedToken(claims: LiveClaims, keyHash: string): string {
  const text = Buffer.from(JSON.stringify(LiveClaims.parse(claims))).toString('base64url');
  return `${PREFIX}${text}.${signatureOf(text, keyHash).toString('base64url')}`;
}

/**
 * The claims of a token, before its signature is checked. Undefined for another text, and for a token that has expired.
 */
export function claimsOf(token: string, now: number): LiveClaims | undefined {
  const [, text] = /^lt_([\w-]+)\.[\w-]{43}$/.exec(token) ?? [];
  if (text === undefined) return undefined;
  try {
    const { success, data } = LiveClaims.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    // A user could sign a longer lifetime with their key.
    return success && data.until > now && data.until <= now + LONGEST_TOKEN_SECONDS * 1_000 ? data : undefined;
  } catch {
    return undefined;
  }
}

export function hasTokenSignature(token: string, keyHash: string): boolean {
  const [text = '', signature = ''] = token.slice(PREFIX.length).split('.');
  const expected = signatureOf(text, keyHash);
  const sent = Buffer.from(signature, 'base64url');
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}
