import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { getUser } from '../../api/user-api.ts';
import type { User } from '../../api/wire.ts';
import { IdLine } from '../../components/id-line.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { session } from '../../api/key-session.ts';
import { Usage } from '../../components/usage.tsx';

/** Usage is added up within seconds. */
const POLL_MS = 5_000;

export function MePage() {
  const query = useQuery({ queryKey: ['user'], queryFn: getUser, refetchInterval: POLL_MS });
  return (
    <Page
      title="Me"
      actions={
        <button type="button" onClick={() => session.signOut()}>
          Sign out
        </button>
      }
    >
      <Loaded query={query}>
        {({ data: user }) => (
          <>
            <Facts user={user} />
            <section class="card stack" aria-labelledby="usage">
              <h2 id="usage">Usage</h2>
              <Usage user={user} />
            </section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

const Facts = ({ user }: { user: User }) => (
  <section class="card" aria-label="About">
    <dl class="facts">
      <dt>Name</dt>
      <dd>{user.username}</dd>
      <dt>E-mail</dt>
      <dd>{user.email}</dd>
      <dt>Id</dt>
      <dd>
        <IdLine name="id">{user.id}</IdLine>
      </dd>
      <dt>Plan</dt>
      <dd>{'daily_invocations_quota' in user ? 'free' : 'paid'}</dd>
      <dt>API key</dt>
      <dd>
        <Key />
      </dd>
    </dl>
  </section>
);

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
