import type { PersonResult } from '../../domain/person/identity-request.ts';
import {
  ASK_AGAIN_MS,
  confirmedTimes,
  FRESH_MS,
  mustAsk,
  type Session,
  UNCONFIRMED_MS,
} from '../../domain/person/stored-session.ts';
import type { SessionContext } from './session-context.ts';

type ConfirmContext = Pick<SessionContext, 'sessions' | 'oauthFunction' | 'now'>;

/**
 * Asks the provider about the person of a session when it is time. Undefined when the session ended by it. Only one of
 * several calls at once asks: the time of the next one is stored before.
 */
export async function confirmSession(
  context: ConfirmContext,
  hash: string,
  session: Session,
): Promise<Session | undefined> {
  const { sessions, oauthFunction, now } = context;
  if (!mustAsk(session, now())) return session;
  const asking = await sessions.change(hash, session, { askAt: now() + ASK_AGAIN_MS });
  if (!asking) return sessions.find(hash);
  const { id, person, endsAt } = asking;
  const sealed = await sessions.tokens(hash);
  const result: PersonResult = sealed
    ? await oauthFunction
        .confirmPerson({ session: id, subject: person.subject, sealed })
        .catch((): PersonResult => ({ state: 'failed', reason: 'No response.' }))
    : { state: 'ended' };
  if (result.state === 'identified' || result.state === 'failed') {
    if (result.sealed) await sessions.putTokens(hash, result.sealed, endsAt);
    const changed = await sessions.change(hash, asking, changeOf(asking, result, now()));
    // The session ended meanwhile.
    if (!changed) {
      const current = await sessions.find(hash);
      if (!current) await sessions.remove(hash);
      return current;
    }
    if (changed.freshUntil > now()) return changed;
  }
  await sessions.remove(hash);
  return undefined;
}

/** A provider that does not answer ends no session within an hour of the last time that it did. */
function changeOf(
  { confirmedAt, endsAt }: Session,
  result: Extract<PersonResult, { state: 'identified' | 'failed' }>,
  now: number,
) {
  if (result.state === 'failed')
    return { freshUntil: Math.min(confirmedAt + UNCONFIRMED_MS, now + FRESH_MS, endsAt), askAt: now + ASK_AGAIN_MS };
  const { person } = result;
  return { ...confirmedTimes(now, endsAt), ...(person ? { person } : {}) };
}
