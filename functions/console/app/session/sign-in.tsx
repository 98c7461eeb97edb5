import { useState } from 'preact/hooks';
import { sentenceOf } from '../api/refused-request.ts';
import { tryKey } from '../api/user-api.ts';
import { Brand } from '../components/brand.tsx';
import { Refusal } from '../components/refusal.tsx';
import { Heading } from '../components/page.tsx';
import { useFocusInside } from '../hooks/use-focus-inside.ts';
import { session } from '../api/key-session.ts';

/** Asks for the API key. */
export function SignIn({ refusal }: { refusal: string | undefined }) {
  const form = useFocusInside<HTMLFormElement>();
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState(refusal);
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
        <button class="primary" type="submit" disabled={isChecking}>
          {isChecking ? 'Signing in…' : 'Sign in'}
        </button>
        <p class="hint">
          The key stays in this tab. No key? Ask your operator (<code>tributary admin users</code>).
        </p>
      </form>
    </main>
  );
}
