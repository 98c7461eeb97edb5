import { useState } from 'preact/hooks';
import { sentenceOf } from '../api/refused-request.ts';
import { tryKey } from '../api/user-api.ts';
import { Brand } from '../components/brand.tsx';
import { Refusal } from '../components/refusal.tsx';
import { Heading } from '../components/page.tsx';
import { useFocusInside } from '../hooks/use-focus-inside.ts';
import { session } from '../api/key-session.ts';
import { leaveToSignIn, type Provider, signInHref, thisPage } from './person-session.ts';

interface SignInProps {
  /** The provider by which people sign in; null without one. */
  provider: Provider;
  refusal: string | undefined;
}

/** Asks for a sign-in by the provider, or the API key. */
export function SignIn({ provider, refusal }: SignInProps) {
  const form = useFocusInside<HTMLFormElement>();
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isChecking, setChecking] = useState(false);

  const signIn = (): void => {
    const typed = key.trim();
    if (typed === '') {
      setProblem('Enter an API key.');
      return;
    }
    setChecking(true);
    setProblem(undefined);
    tryKey(typed)
      .then(({ data: { id } }) => session.signIn(typed, id))
      .catch((error: unknown) => {
        setProblem(sentenceOf(error));
        setChecking(false);
      });
  };

  return (
    <main class="sign-in">
      <form
        ref={form}
        class="card stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          signIn();
        }}
      >
        <Brand />
        <Heading>Sign in</Heading>
        {problem === undefined && !isChecking && refusal !== undefined && <Refusal>{refusal}</Refusal>}
        {provider && (
          <>
            <a class="button primary" href={signInHref(provider, thisPage())} onClick={leaveToSignIn}>
              Sign in with {provider.name}
            </a>
            <p class="hint">or with an API key</p>
          </>
        )}
        <label class="field">
          <span class="label">API key</span>
          {/* Not a password box: browsers offer to save its text. */}
          <input
            class="masked"
            type="text"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            value={key}
            onInput={({ currentTarget }) => setKey(currentTarget.value)}
          />
        </label>
        {problem !== undefined && <Refusal>{problem}</Refusal>}
        <button class={provider ? '' : 'primary'} type="submit" disabled={isChecking}>
          {isChecking ? 'Signing in…' : provider ? 'Sign in with the key' : 'Sign in'}
        </button>
        <p class="hint">
          The key stays in this tab. No key? Ask your operator (<code>tributary admin users</code>).
        </p>
      </form>
    </main>
  );
}
