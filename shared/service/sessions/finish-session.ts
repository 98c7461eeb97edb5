import { newId, SessionId } from '../../domain/id.ts';
import type { PersonResult } from '../../domain/person/identity-request.ts';
import { type Person, usersOfPerson } from '../../domain/person/person.ts';
import {
  confirmedTimes,
  MAX_CALLBACKS,
  type Session,
  SESSION_MS,
  UNCONFIRMED_MS,
} from '../../domain/person/stored-session.ts';
import type { SignInSettings } from '../../domain/person/sign-in-settings.ts';
import type { UserId } from '../../domain/id.ts';
import { newSecret, secretHash } from '../connecting/connect-secrets.ts';
import type { SignInRefusal } from './begin-session.ts';
import { type PreSession, preSessionOf, secretsOf } from './pre-session.ts';
import type { SessionContext } from './session-context.ts';

export interface SessionCallback {
  /** The query of the callback. */
  query: string;
  /** Values of the cookie of a sign-in under way. */
  cookies: readonly string[];
  /** The token of a session that the browser has already. */
  before: string | undefined;
  /** The network of the browser. */
  network: string;
}

export interface StartedSession {
  token: string;
  returnTo: string;
  session: Session;
}

const LONGEST_QUERY = 8_192;

/** Takes a browser back from the provider. Always a new session, and a state is taken once. */
export async function finishSession(
  context: SessionContext,
  { query, cookies, before, network }: SessionCallback,
): Promise<StartedSession | SignInRefusal> {
  const { sessions, oauthFunction, random, now } = context;
  const states = query.length > LONGEST_QUERY ? [] : new URLSearchParams(query).getAll('state');
  const pre = states.length === 1 ? preSessionOf(cookies, states[0] ?? '', now()) : undefined;
  if (!pre) return 'expired';
  const settings = await context.readSettings();
  if (!settings) return 'not_set_up';
  if ((await sessions.countCallback(network, now())) > MAX_CALLBACKS) return 'too_many';
  const secrets = secretsOf(pre);
  // Two requests with one code may come at once: only one goes on.
  if (!(await sessions.useOnce(secretHash(secrets.state), now()))) return 'expired';
  const id = SessionId.parse(newId('session', now(), random));
  const result = await oauthFunction
    .identify({ session: id, query, ...secrets })
    .catch((): PersonResult => ({ state: 'failed', reason: 'No response.' }));
  if (result.state !== 'identified') return REFUSALS[result.state];
  const { person, sealed, hasRefreshToken, areGroupsLeftOut } = result;
  if (!person) return 'unverified';
  const userId = await userOf(context, { settings, person, pre });
  if (userId === undefined) return areGroupsLeftOut ? 'groups_left_out' : 'not_allowed';
  const at = now();
  const endsAt = at + (hasRefreshToken ? SESSION_MS : UNCONFIRMED_MS);
  const { askAt, ...times } = confirmedTimes(at, endsAt);
  const session: Session = {
    id,
    userId,
    client: settings.client,
    person,
    csrf: newSecret(random),
    createdAt: at,
    endsAt,
    version: 0,
    ...times,
    ...(hasRefreshToken ? { askAt } : { freshUntil: endsAt }),
  };
  const token = newSecret(random);
  await sessions.create(secretHash(token), session, sealed, at);
  if (before !== undefined) await sessions.remove(secretHash(before));
  return { token, returnTo: pre.returnTo, session };
}

const REFUSALS = {
  denied: 'denied',
  unverified: 'unverified',
  // The code was used before, or is too old.
  ended: 'expired',
  failed: 'provider_failed',
} as const satisfies Record<Exclude<PersonResult['state'], 'identified'>, SignInRefusal>;

/** The wished user, or the first one of the person that works. */
async function userOf(
  { users }: Pick<SessionContext, 'users'>,
  { settings, person, pre }: { settings: SignInSettings; person: Person; pre: PreSession },
): Promise<UserId | undefined> {
  const allowed = usersOfPerson(settings, person).filter(({ userId }) => [undefined, userId].includes(pre.user));
  for (const { userId } of allowed) {
    const user = await users.find(userId);
    if (user && user.suspendedAt === undefined) return userId;
  }
  return undefined;
}
