import type { UserId } from '../../domain/id.ts';
import { scopesOfRole, usersOfPerson } from '../../domain/person/person.ts';
import type { SignInSettings } from '../../domain/person/sign-in-settings.ts';
import type { CurrentSession } from '../../service/sessions/read-session.ts';
import type { UserLookup } from '../../store/users/users.ts';

interface ShowContext {
  users: Pick<UserLookup, 'find'>;
  publicApiUrl: string;
}

/** More users are not shown: each is read. */
const MAX_USERS = 50;

export const showSession = async (
  context: ShowContext,
  settings: SignInSettings | undefined,
  current: CurrentSession | undefined,
) => ({
  sign_in: settings ? { name: settings.name, url: `${context.publicApiUrl}/v1/session/sign_in` } : null,
  session: settings && current ? await shownSession(context, settings, current) : null,
});

async function shownSession({ users }: ShowContext, settings: SignInSettings, { session, role, user }: CurrentSession) {
  const { person, csrf, endsAt } = session;
  const nameOf = async (id: UserId) => (id === user.id ? user.username : (await users.find(id))?.username);
  const others = usersOfPerson(settings, person).slice(0, MAX_USERS);
  const shown = await Promise.all(others.map(async (each) => ({ ...each, name: await nameOf(each.userId) })));
  return {
    email: person.email,
    name: person.name ?? null,
    role,
    user: { id: user.id, name: user.username },
    users: shown.flatMap(({ userId, role: theirs, name }) =>
      name === undefined ? [] : [{ id: userId, name, role: theirs }],
    ),
    scopes: scopesOfRole(role),
    csrf,
    expires_at_ms: endsAt,
  };
}
