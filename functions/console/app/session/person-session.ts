import { useEffect, useState } from 'preact/hooks';
import { expectPerson, isPersonExpected, PERSON_KEY, session } from '../api/key-session.ts';
import { sentenceOf } from '../api/refused-request.ts';
import { renewSession } from '../api/request.ts';
import type { SessionState } from '../api/wire.ts';
import { useNotices } from '../components/notices.tsx';

/** The service hears so often that a visible page still shows a session, and asks the provider about it. */
const RENEW_MS = 5 * 60_000;

const LOOK_MS = 30_000;

/** The identity provider of the installation. */
export type Provider = SessionState['sign_in'];

const CODE = 'sign_in';

/** The sentence about each reason for which a sign-in came back without a session. */
const REFUSALS = new Map<string, (provider: string) => string>([
  ['denied', (provider) => `${provider} did not allow the sign-in, or you cancelled it. Sign in again.`],
  [
    'not_allowed',
    (provider) => `${provider} knows you, but you may not use this console. Ask your operator to add your address.`,
  ],
  [
    'groups_left_out',
    (provider) =>
      `You are in so many groups that ${provider} names none of them. Ask your operator to let it send only those of this client.`,
  ],
  [
    'unverified',
    (provider) => `${provider} has not verified your e-mail address. Verify it there, then sign in again.`,
  ],
  ['provider_failed', (provider) => `${provider} did not complete the sign-in. Try again in a minute.`],
  ['expired', () => 'The sign-in took too long, or began in another browser. Sign in again.'],
  ['too_many', () => 'Too many sign-ins came from your address. Try again in ten minutes.'],
  ['not_set_up', () => 'This console has no sign-in by a provider. Use an API key.'],
  ['unavailable', () => 'The operator has paused changes. Try again later.'],
]);

const refusalOf = (code: string, provider: Provider): string =>
  (REFUSALS.get(code) ?? (() => 'The sign-in failed. Try again.'))(provider?.name ?? 'The provider');

/** Takes the reason out of the address, so that a reload does not tell it again. */
function takeRefusal(): string | undefined {
  const url = new URL(location.href);
  const code = url.searchParams.get(CODE);
  if (code === null) return undefined;
  url.searchParams.delete(CODE);
  history.replaceState(history.state, '', url.pathname + url.search + url.hash);
  return code;
}

/** The address that signs in at the provider, and comes back to a page of the console. */
export const signInHref = ({ url }: NonNullable<Provider>, returnTo: string, userId?: string): string =>
  `${url}?${new URLSearchParams({ return_to: returnTo, ...(userId === undefined ? {} : { user: userId }) }).toString()}`;

/** This page, to come back to. */
export const thisPage = (): string => location.pathname + location.search;

/** A page that comes back from the provider shows no form before the service has told who is signed in. */
export const leaveToSignIn = (): void => expectPerson('?');

/** Asks who is signed in: once, then every few minutes, and when another tab has changed it. */
export function usePersonSession() {
  const { refuse } = useNotices();
  const [provider, setProvider] = useState<Provider>(null);
  const [code] = useState(takeRefusal);
  const [problem, setProblem] = useState<string>();
  const [isChecking, setChecking] = useState(session.key === undefined && isPersonExpected());
  useEffect(() => {
    let lastMs = 0;
    /** A tab that had a key does not become that of a person by itself. */
    const ask = async (isEntered = true): Promise<void> => {
      lastMs = Date.now();
      try {
        const { sign_in: known, session: person } = await renewSession(isEntered);
        setProvider(known);
        if (person && code !== undefined) refuse(new Error(refusalOf(code, known)));
      } catch (error) {
        if (isPersonExpected()) setProblem(sentenceOf(error));
      }
      setChecking(false);
    };
    const askWhenDue = (): void => {
      const isDue = session.person !== undefined && Date.now() - lastMs >= RENEW_MS;
      if (document.visibilityState === 'visible' && isDue) void ask();
    };
    const onStorage = ({ key }: StorageEvent): void => {
      if (key === PERSON_KEY && session.takesCookie) void ask();
    };
    const unsubscribe = session.subscribe(() => {
      if (session.identity === undefined && lastMs === 0) void ask(false);
    });
    if (session.takesCookie) void ask();
    const timer = setInterval(askWhenDue, LOOK_MS);
    document.addEventListener('visibilitychange', askWhenDue);
    addEventListener('storage', onStorage);
    return () => {
      unsubscribe();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', askWhenDue);
      removeEventListener('storage', onStorage);
    };
  }, []);
  return { provider, isChecking, refusal: code === undefined ? problem : refusalOf(code, provider) };
}
