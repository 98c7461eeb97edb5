import { type Role, roleIn } from '../../domain/person/person.ts';
import type { Session } from '../../domain/person/stored-session.ts';
import { suspendedUser } from '../../domain/user/key-refusals.ts';
import type { User } from '../../domain/user/user.ts';
import { secretHash } from '../connecting/connect-secrets.ts';
import type { SessionContext } from './session-context.ts';

export interface CurrentSession {
  hash: string;
  session: Session;
  role: Role;
  user: User;
}

/** As `newSecret` makes it: any other text is looked up nowhere. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

type ReadContext = Pick<SessionContext, 'readSettings' | 'sessions' | 'users' | 'now'>;

/** The session of a token. Undefined when it has ended. Throws for a suspended user, as a key does. */
export async function readSession(context: ReadContext, token: string): Promise<CurrentSession | undefined> {
  const hash = secretHash(token);
  const session = TOKEN.test(token) ? await context.sessions.find(hash) : undefined;
  return session && currentSession(context, hash, session);
}

/** A session as the settings of now allow it. */
export async function currentSession(
  { readSettings, users, now }: Pick<ReadContext, 'readSettings' | 'users' | 'now'>,
  hash: string,
  session: Session,
): Promise<CurrentSession | undefined> {
  if (session.endsAt <= now()) return undefined;
  const settings = await readSettings();
  // Another issuer or client may have another person of the same id.
  if (settings?.client !== session.client) return undefined;
  const access = settings.access.find(({ userId }) => userId === session.userId);
  const role = access && roleIn(access, session.person);
  const user = role && (await users.find(session.userId));
  if (!user) return undefined;
  if (user.suspendedAt !== undefined) throw suspendedUser();
  return { hash, session, role, user };
}
