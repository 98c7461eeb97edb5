import type { Account } from '../api/wire.ts';
import { Badge, type Tone } from '../components/badge.tsx';
import { stateText } from './status-text.ts';

const TONES: Readonly<Record<Account['status'], Tone>> = {
  connected: 'ok',
  expiring: 'warn',
  needs_reconnect: 'bad',
};

/** The status of an account in words, and its reason. */
export const AccountStatus = ({ account }: { account: Account }) => (
  <span class="account-status">
    <Badge tone={TONES[account.status]}>{stateText(account)}</Badge>
    {account.status !== 'connected' && account.status_reason !== null && (
      <>
        <span class="hidden-text">: </span>
        <span>{account.status_reason}</span>
      </>
    )}
  </span>
);
