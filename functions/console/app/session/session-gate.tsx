import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useQueryClient } from '@tanstack/preact-query';
import { sentenceOf } from '../api/refused-request.ts';
import { tryKey } from '../api/user-api.ts';
import { takeKeyFromAddress } from './key-in-address.ts';
import { session } from './key-session.ts';
import { SignIn } from './sign-in.tsx';

/** Shows the form to sign in until there is a key, at the address that was asked for. */
export function SessionGate({ children }: { children: ComponentChildren }) {
  const queries = useQueryClient();
  const [key, setKey] = useState(session.key);
  const [refusal, setRefusal] = useState(session.refusal);
  const [keyToCheck, setKeyToCheck] = useState(takeKeyFromAddress);

  useEffect(
    () =>
      session.subscribe(() => {
        // Another key may belong to another user.
        queries.clear();
        setKey(session.key);
        setRefusal(session.refusal);
      }),
    [queries],
  );
  // A `#key=` at the address of the open page loads no page.
  useEffect(() => {
    const onHash = (): void => {
      setKeyToCheck((checked) => takeKeyFromAddress() ?? checked);
    };
    addEventListener('hashchange', onHash);
    return () => {
      removeEventListener('hashchange', onHash);
    };
  }, []);
  useEffect(() => {
    if (keyToCheck === undefined) return undefined;
    let isLatest = true;
    const take = (refused: string | undefined): void => {
      if (!isLatest) return;
      if (refused === undefined) session.signIn(keyToCheck);
      else session.signOut();
      setRefusal(refused);
      setKeyToCheck(undefined);
    };
    tryKey(keyToCheck).then(
      () => {
        take(undefined);
      },
      (error: unknown) => {
        take(sentenceOf(error));
      },
    );
    return () => {
      isLatest = false;
    };
  }, [keyToCheck]);

  if (keyToCheck !== undefined) return <p class="checking">Signing in…</p>;
  return key === undefined ? <SignIn refusal={refusal} /> : children;
}
