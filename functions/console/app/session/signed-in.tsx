import { usePerson } from '../api/rights.tsx';
import { session } from '../api/key-session.ts';
import { endSession } from '../api/user-api.ts';
import { useAction } from '../components/buttons/use-action.ts';
import { signInHref } from './person-session.ts';

/** Ends the session of this tab; that of a person ends for all tabs, and at the provider. */
export function SignOutButton({ isQuiet = false }: { isQuiet?: boolean }) {
  const person = usePerson();
  const { run, isPending } = useAction(async () => {
    const url = person && (await endSession()).data.sign_out_url;
    session.signOut();
    if (url != null) location.assign(url);
    return 'You are signed out.';
  });
  return (
    <button type="button" class={isQuiet ? 'quiet' : ''} aria-disabled={isPending} onClick={() => run()}>
      Sign out
    </button>
  );
}

/** The person who is signed in, in the frame of every page. */
export function SignedIn() {
  const person = usePerson();
  if (!person) return null;
  return (
    <div class="signed-in">
      <a href="/console/me">
        <span class="hidden-text">Signed in as</span>
        <span>{person.email}</span>
        <span class="muted">
          {person.role} of {person.user.name}
        </span>
      </a>
      <SignOutButton isQuiet />
    </div>
  );
}

/** The users that a person may choose. */
export function UserChoice() {
  const person = usePerson();
  const { provider } = session;
  if (!person || !provider || person.users.length < 2) return null;
  return (
    <ul class="plain">
      {person.users.map(({ id, name, role }) => (
        <li key={id}>
          {id === person.user.id ? <strong>{name}</strong> : <a href={signInHref(provider, '/console', id)}>{name}</a>}{' '}
          <span class="muted">({role})</span>
        </li>
      ))}
    </ul>
  );
}
