import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { UserId } from '../../domain/id.ts';
import { isConsolePath } from '../../domain/person/return-path.ts';
import { SIGN_IN_MS } from '../../domain/person/stored-session.ts';

/*
 * A sign-in under way is the cookie of its browser, and stored nowhere. Its secret never leaves the browser and the
 * service: state, nonce and verifier derive from it, and the state is bound to the other fields.
 */

const PreSession = z.object({
  secret: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  /** Epoch ms. */
  startedAt: z.number(),
  returnTo: z.string().refine(isConsolePath),
  user: UserId.optional(),
});
export type PreSession = z.infer<typeof PreSession>;

const LONGEST_COOKIE = 2_048;

export const preSessionCookie = (pre: PreSession): string => Buffer.from(JSON.stringify(pre)).toString('base64url');

const derived = (secret: string, ...texts: readonly unknown[]): string =>
  createHmac('sha256', secret).update(JSON.stringify(texts)).digest('base64url');

/** The values of an authorization. */
export const secretsOf = ({ secret, startedAt, returnTo, user }: PreSession) => ({
  state: derived(secret, 'state', startedAt, returnTo, user),
  nonce: derived(secret, 'nonce'),
  verifier: derived(secret, 'verifier'),
});

/** The sign-in of the cookie that fits the state of a callback. Undefined when it is over, or of another browser. */
export function preSessionOf(cookies: readonly string[], state: string, now: number): PreSession | undefined {
  for (const cookie of cookies) {
    const pre = preSessionIn(cookie);
    if (pre && isEqual(secretsOf(pre).state, state)) return now - pre.startedAt < SIGN_IN_MS ? pre : undefined;
  }
  return undefined;
}

function preSessionIn(cookie: string): PreSession | undefined {
  if (cookie.length > LONGEST_COOKIE) return undefined;
  try {
    return PreSession.safeParse(JSON.parse(Buffer.from(cookie, 'base64url').toString('utf8'))).data;
  } catch {
    return undefined;
  }
}

export const isEqual = (one: string, other: string): boolean => {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
};
