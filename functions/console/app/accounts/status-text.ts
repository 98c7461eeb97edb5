import type { Account } from '../api/wire.ts';

const STATES: Readonly<Record<Account['status'], string>> = {
  connected: 'Connected',
  expiring: 'Expiring',
  needs_reconnect: 'Needs a new sign-in',
};

/** The status of an account in words: `Expiring: the provider did not answer.` */
export function statusText({ status, status_reason: reason }: Account): string {
  const state = STATES[status];
  return status === 'connected' || reason === null ? state : `${state}: ${reason}`;
}

/** The status without its reason. */
export const stateText = ({ status }: Account): string => STATES[status];
