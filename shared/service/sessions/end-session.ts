import type { CurrentSession } from './read-session.ts';
import type { SessionContext } from './session-context.ts';

/** Ends a session. The address at which the person signs out at the provider too, if there is one. */
export async function endPersonSession(
  { sessions, oauthFunction }: Pick<SessionContext, 'sessions' | 'oauthFunction'>,
  { hash, session }: Pick<CurrentSession, 'hash' | 'session'>,
): Promise<string | undefined> {
  const sealed = await sessions.tokens(hash);
  await sessions.remove(hash);
  // The session has ended, whether the provider answers or not.
  const result = await oauthFunction.signOut({ session: session.id, sealed }).catch(() => undefined);
  return result?.address;
}
