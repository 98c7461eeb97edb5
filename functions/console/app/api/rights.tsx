import { useQuery } from '@tanstack/preact-query';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { getCurrentKey } from './key-api.ts';
import { session } from './key-session.ts';
import type { Person, Scope } from './wire.ts';

interface Rights {
  /** Undefined until they are known: the service checks every request anyway. */
  scopes?: readonly Scope[] | undefined;
  /** The person who is signed in without a key. */
  person?: Person | undefined;
}

const Rights = createContext<Rights>({});

/** Knows what the key of this tab, or the person who is signed in, may do. */
export function RightsProvider({ children }: { children: ComponentChildren }) {
  const [person, setPerson] = useState(session.person);
  useEffect(() => session.subscribe(() => setPerson(session.person)), []);
  const { data } = useQuery({
    queryKey: ['current-key'],
    queryFn: getCurrentKey,
    staleTime: Infinity,
    enabled: person === undefined,
  });
  const scopes = person?.scopes ?? data?.data.scopes;
  return <Rights.Provider value={{ scopes, person }}>{children}</Rights.Provider>;
}

/** The person who is signed in without a key. */
export const usePerson = (): Person | undefined => useContext(Rights).person;

/** Why the key of this tab may not do something; undefined when it may. */
export function useLack(needs: Scope): string | undefined {
  const { scopes, person } = useContext(Rights);
  if (scopes === undefined || scopes.includes(needs)) return undefined;
  return person ? `The role ${person.role} lacks the scope ${needs}.` : `Your API key lacks the scope ${needs}.`;
}

/** Whether a page shows what needs a scope. The buttons of a key without it are disabled instead. */
export function useAllows(needs: Scope): boolean {
  const lack = useLack(needs);
  return usePerson() === undefined || lack === undefined;
}

interface AllowedProps {
  needs?: Scope;
  /** Stands there for people without the scope. */
  otherwise?: ComponentChildren;
  children: ComponentChildren;
}

/** Leaves out what the role of a person does not allow. */
export function Allowed({ needs = 'manage', otherwise = null, children }: AllowedProps) {
  return <>{useAllows(needs) ? children : otherwise}</>;
}

/** Whether the scopes of the key are known: a section that asks for what the key may not have waits for them. */
export const useKnowsScopes = (): boolean => useContext(Rights).scopes !== undefined;
