import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { getUser } from '../../api/user-api.ts';
import type { Person, User } from '../../api/wire.ts';
import { About } from '../../components/facts.tsx';
import { IdLine } from '../../components/id-line.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { session } from '../../api/key-session.ts';
import { usePerson } from '../../api/rights.tsx';
import { hasQuota } from '../../components/quota.ts';
import { Time } from '../../components/time.tsx';
import { Usage } from '../../components/usage.tsx';
import { SignOutButton, UserChoice } from '../../session/signed-in.tsx';
import { ThemeSwitch } from '../../theme/theme-switch.tsx';
import { AuditSection } from './audit-section.tsx';
import { KeysSection } from './keys-section.tsx';

/** Usage is added up within seconds. */
const POLL_MS = 5_000;

export function MePage() {
  const query = useQuery({ queryKey: ['user'], queryFn: getUser, refetchInterval: POLL_MS });
  const person = usePerson();
  return (
    <Page title="Me" actions={<SignOutButton />}>
      <Loaded query={query}>
        {({ data: user }) => (
          <>
            <About facts={[...(person ? factsOfPerson(person) : []), ...factsOf(user, person)]} />
            <section class="card stack" aria-labelledby="usage">
              <h2 id="usage">{isFree(user) ? 'Today' : 'Billing period'}</h2>
              <Usage user={user} />
            </section>
          </>
        )}
      </Loaded>
      <KeysSection />
      <AuditSection />
    </Page>
  );
}

const isFree = (user: User): boolean => 'daily_invocations_quota' in user;

const factsOfPerson = ({ email, name, role, users, expires_at_ms: ms }: Person) =>
  [
    ['Signed in as', name === null || name === email ? email : `${name} (${email})`],
    ['Role', ROLES[role]],
    ['Session until', <Time ms={ms} />],
    ['Users', users.length > 1 && <UserChoice />],
  ] as const;

const ROLES = {
  owner: 'owner: reads and changes everything, API keys included',
  viewer: 'viewer: reads everything, and changes nothing',
} as const satisfies Record<Person['role'], string>;

const factsOf = (user: User, person: Person | undefined) =>
  [
    [person ? 'User' : 'Name', user.username],
    ['E-mail', user.email],
    ['Id', <IdLine name="id">{user.id}</IdLine>],
    ['Plan', (!isFree(user) || hasQuota(user)) && (isFree(user) ? 'free' : 'paid')],
    ['API key', !person && <Key />],
    ['Theme', <ThemeSwitch />],
  ] as const;

/** The key of this tab; hidden until it is asked for. */
function Key() {
  const [isShown, setShown] = useState(false);
  return (
    <span class="row">
      {isShown && <IdLine name="key">{session.key ?? ''}</IdLine>}
      <button type="button" onClick={() => setShown(!isShown)}>
        {isShown ? 'Hide key' : 'Show key'}
      </button>
    </span>
  );
}
