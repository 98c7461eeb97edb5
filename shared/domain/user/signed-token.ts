import { createHmac, timingSafeEqual } from 'node:crypto';
import type * as z from 'zod';

/**
 * A right that needs no API key. A token is claims, signed with the hash of the API key that made it: the service
 * stores no token, and a token ends with its key.
 */
interface TokenKind<Schema extends z.ZodType<{ until: number }>> {
  /** Tells tokens from API keys, and one kind from another: `lt`. */
  prefix: string;
  /** `until` is in epoch ms. No token has the claims of two kinds. */
  claims: Schema;
  longestSeconds: number;
}

const signatureOf = (claims: string, keyHash: string): Buffer => createHmac('sha256', keyHash).update(claims).digest();

/** The prefix, the claims and the signature of a token. */
const TOKEN = /^([a-z]+)_([\w-]+)\.([\w-]{43})$/;

export function tokenKind<Schema extends z.ZodType<{ until: number }>>(kind: TokenKind<Schema>) {
  return {
    sign(claims: z.input<Schema>, keyHash: string): string {
      const text = Buffer.from(JSON.stringify(kind.claims.parse(claims))).toString('base64url');
      return `${kind.prefix}_${text}.${signatureOf(text, keyHash).toString('base64url')}`;
    },

    /**
     * The claims of a token, before its signature is checked. Undefined for another text, and for a token that has
     * expired.
     */
    claimsOf(token: string, now: number): z.output<Schema> | undefined {
      const [, prefix, text = ''] = TOKEN.exec(token) ?? [];
      if (prefix !== kind.prefix) return undefined;
      try {
        const { success, data } = kind.claims.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString()));
        // A user could sign a longer lifetime with their key.
        return success && data.until > now && data.until <= now + kind.longestSeconds * 1_000 ? data : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

export function hasTokenSignature(token: string, keyHash: string): boolean {
  const [, , text = '', signature = ''] = TOKEN.exec(token) ?? [];
  const expected = signatureOf(text, keyHash);
  const sent = Buffer.from(signature, 'base64url');
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}
