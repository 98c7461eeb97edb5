import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { useQueryClient } from '@tanstack/preact-query';
import { sentenceOf } from '../api/refused-request.ts';
import { tryKey } from '../api/user-api.ts';
import { takeKeyFromAddress } from './key-in-address.ts';
import { isPersonExpected, session } from '../api/key-session.ts';
import { usePersonSession } from './person-session.ts';
import { OfferedKey } from './offered-key.tsx';
import { SignIn } from './sign-in.tsx';

/** A key that came with the address. A tab or a person that is signed in takes it only after a question. */
interface Arrival {
  key: string;
  isAccepted: boolean;
}

function arrivalInAddress(): Arrival | undefined {
  const key = takeKeyFromAddress();
  if (key === undefined || key === session.key) return undefined;
  return { key, isAccepted: session.identity === undefined && !isPersonExpected() };
}

/** Shows the form to sign in until there is a key or a person, at the address that was asked for. */
export function SessionGate({ children }: { children: ComponentChildren }) {
  const queries = useQueryClient();
  const { provider, isChecking, refusal: returned } = usePersonSession();
  const [identity, setIdentity] = useState(session.identity);
  const [refusal, setRefusal] = useState(session.refusal);
  const [arrival, setArrival] = useState(arrivalInAddress);
  const keyToCheck = arrival?.isAccepted === true ? arrival.key : undefined;

  // Before the first question about a person has an answer.
  useLayoutEffect(() => {
    let last = session.identity;
    return session.subscribe(() => {
      // Another key may belong to another user.
      if (session.identity !== last) queries.clear();
      last = session.identity;
      setIdentity(last);
      setRefusal(session.refusal);
    });
  }, [queries]);
  // A `#key=` at the address of the open page loads no page. An effect would miss one that comes before the next frame.
  useLayoutEffect(() => {
    const onHash = (): void => {
      const next = arrivalInAddress();
      if (next !== undefined) setArrival(next);
    };
    addEventListener('hashchange', onHash);
    return () => removeEventListener('hashchange', onHash);
  }, []);
  useEffect(() => {
    if (keyToCheck === undefined) return undefined;
    let isLatest = true;
    const take = (userId: string | undefined, refused?: string): void => {
      if (!isLatest) return;
      if (userId === undefined) session.signOut();
      else session.signIn(keyToCheck, userId);
      setRefusal(refused);
      setArrival(undefined);
    };
    tryKey(keyToCheck).then(
      ({ data: { id } }) => take(id),
      (error: unknown) => take(undefined, sentenceOf(error)),
    );
    return () => {
      isLatest = false;
    };
  }, [keyToCheck]);

  if (arrival?.isAccepted === false)
    return <OfferedKey take={() => setArrival({ ...arrival, isAccepted: true })} leave={() => setArrival(undefined)} />;
  if (keyToCheck !== undefined || isChecking) return <p class="checking">Signing in…</p>;
  return identity === undefined ? (
    <SignIn provider={provider} refusal={refusal ?? returned} />
  ) : (
    // Forms of one person are none of the next. A key that rotates leaves them open.
    <Fragment key={session.person && identity}>{children}</Fragment>
  );
}
