import * as z from 'zod';
import { HOUR_MS, MINUTE_MS } from '../../lib/durations.ts';
import { OAuthClientId, SessionId, UserId } from '../id.ts';
import { Person } from './person.ts';

export const SESSION_MS = 12 * HOUR_MS;
/** A session that the provider did not confirm for this time ends. */
export const UNCONFIRMED_MS = HOUR_MS;
/** The provider is asked again after this time of use. */
const CHECK_AFTER_MS = 10 * MINUTE_MS;
/** Requests are served for this time after the provider was asked. */
export const FRESH_MS = 15 * MINUTE_MS;
/** A provider that did not answer is asked again after this time. So is one whose request may still be on its way. */
export const ASK_AGAIN_MS = MINUTE_MS;
export const MAX_SESSIONS = 20;
/** From the start of a sign-in to its end. */
export const SIGN_IN_MS = 10 * MINUTE_MS;
/** Sign-ins that one network may end in this time, successful or not: each is a request to the provider. */
export const CALLBACK_WINDOW_MS = 10 * MINUTE_MS;
export const MAX_CALLBACKS = 60;

/** A person who has signed in, as the user. Stored under the hash of the token in the cookie. */
export const Session = z.object({
  id: SessionId,
  userId: UserId,
  /** The issuer and client that told of the person. */
  client: OAuthClientId,
  person: Person,
  /** Changes have it in a header: a cookie is sent by the browser itself. */
  csrf: z.string(),
  createdAt: z.number(),
  endsAt: z.number(),
  /** The provider confirmed the person then. */
  confirmedAt: z.number(),
  /** The provider is asked then; absent without a refresh token. */
  askAt: z.number().optional(),
  /** Other operations than `GET /v1/session` are served until then. */
  freshUntil: z.number(),
  version: z.number(),
});
export type Session = z.infer<typeof Session>;

/** The times after the provider has confirmed the person. */
export const confirmedTimes = (now: number, endsAt: number) => ({
  confirmedAt: now,
  askAt: now + CHECK_AFTER_MS,
  freshUntil: Math.min(now + FRESH_MS, endsAt),
});

export const isStale = ({ freshUntil }: Session, now: number): boolean => freshUntil <= now;

export const mustAsk = ({ askAt = Infinity }: Session, now: number): boolean => askAt <= now;
