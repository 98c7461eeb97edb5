import { useQuery } from '@tanstack/preact-query';
import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { getCurrentKey } from './key-api.ts';
import type { Scope } from './wire.ts';

/** Undefined until they are known: the service checks every request anyway. */
const Scopes = createContext<readonly Scope[] | undefined>(undefined);

/** Reads what the key of this tab may do. */
export function RightsProvider({ children }: { children: ComponentChildren }) {
  const { data } = useQuery({ queryKey: ['current-key'], queryFn: getCurrentKey, staleTime: Infinity });
  return <Scopes.Provider value={data?.data.scopes}>{children}</Scopes.Provider>;
}

/** Why the key of this tab may not do something; undefined when it may. */
export function useLack(needs: Scope): string | undefined {
  const scopes = useContext(Scopes);
  return scopes === undefined || scopes.includes(needs) ? undefined : `Your API key lacks the scope ${needs}.`;
}

/** Whether the scopes of the key are known: a section that asks for what the key may not have waits for them. */
export const useKnowsScopes = (): boolean => useContext(Scopes) !== undefined;
