import type { Account } from '../api/wire.ts';
import { ProviderSignIn } from './provider-sign-in.tsx';

interface ReconnectProps {
  id: string;
  onConnected: (account: Account) => Promise<void>;
  onCancel: () => void;
}

/** Connects an account again, in place. */
export const Reconnect = ({ id, onConnected, onCancel }: ReconnectProps) => (
  <ProviderSignIn requestOf={() => ({ account_id: id })} onConnected={onConnected} onCancel={onCancel}>
    <p>You sign in again at the provider, in a new tab. Sources that use the account need no change.</p>
  </ProviderSignIn>
);
