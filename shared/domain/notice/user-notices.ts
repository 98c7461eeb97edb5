import { nameOfAccount, type Account } from '../account/account.ts';
import type { User } from '../user/user.ts';
import type { Notice } from './notice.ts';

export const quotaNotice = ({ id, username }: Pick<User, 'id' | 'username'>, now: number): Notice => ({
  name: 'quota.reached',
  ownerId: id,
  subject: { id, name: username },
  what: 'The daily quota is used up; it is renewed at 00:00 UTC.',
  since: now,
});

/** The notice that only a new sign-in helps. */
export const reconnectNotice = (account: Account, reason: string, now: number): Notice => ({
  name: 'account.needs_reconnect',
  ownerId: account.ownerId,
  subject: { id: account.id, name: nameOfAccount(account) },
  what: reason,
  since: now,
});
