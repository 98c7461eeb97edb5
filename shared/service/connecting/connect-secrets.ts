import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { SignInId, prefixes } from '../../domain/id.ts';

/*
 * The secrets of connecting. The table has only their hashes: neither a reader of the table, of the provider's address,
 * nor of the cookies of the host can go on with an authorization of somebody else.
 */

const SECRET_BYTES = 32;
/** An id without its prefix, then the secret. */
const TOKEN = /^([0-9a-z]{24})([A-Za-z0-9_-]{43})$/;
const PREFIX = `${prefixes.signIn}_`;

export type RandomBytes = (bytes: number) => Buffer;

export const newSecret = (random: RandomBytes): string => random(SECRET_BYTES).toString('base64url');

/** A secret that names its sign-in: the token of an address, and the state of an authorization. */
export const newSignInSecret = (id: SignInId, random: RandomBytes): string =>
  id.slice(PREFIX.length) + newSecret(random);

/** The sign-in that such a secret names; undefined for every other text. */
export function signInIdIn(text: string): SignInId | undefined {
  const [, id] = TOKEN.exec(text) ?? [];
  return id === undefined ? undefined : SignInId.parse(PREFIX + id);
}

export const secretHash = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export const hasHash = (secret: string, hash: string): boolean =>
  timingSafeEqual(Buffer.from(secretHash(secret)), Buffer.from(hash));

/**
 * The verifier of PKCE takes both secrets of an authorization, which never meet outside its browser and the service.
 */
export const verifierOf = (cookie: string, state: string): string =>
  createHmac('sha256', cookie).update(state).digest('base64url');

/** https://www.rfc-editor.org/rfc/rfc7636#section-4.2 */
export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');
