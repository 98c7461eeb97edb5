import type { Account } from '../../domain/account/account.ts';
import { ServiceError } from '../../domain/errors.ts';

/** The error of a call that needs an account without a valid token. */
export function accountExpired(account: Pick<Account, 'id' | 'app' | 'name' | 'oauth'>): ServiceError {
  const { id, app, name = app, oauth } = account;
  const why = oauth?.statusReason === undefined ? '' : ` ${oauth.statusReason}`;
  return new ServiceError(
    'account_expired',
    `The account "${name}" of ${app} (${id}) has no valid token.${why} Reconnect it: tributary accounts reconnect ${id}.`,
  );
}

/** The error of a call whose app prop names an account that is gone, or of another user or app. */
export const accountGone = (id: string, app: string): ServiceError =>
  new ServiceError(
    'account_expired',
    `There is no connected account ${id} of ${app}: it was deleted. Connect one, and name it in configured_props.`,
  );

export const isAccountExpired = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.code === 'account_expired';
