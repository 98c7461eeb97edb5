import type { User } from '../api/wire.ts';

/** `npm start` gives this daily quota of runs unless its operator sets another one, which counts as none. */
const NO_QUOTA = 1_000_000_000;

/** Whether somebody set a quota for the user. A paid user has none. */
export const hasQuota = (user: User): boolean =>
  'daily_invocations_quota' in user && user.daily_invocations_quota < NO_QUOTA;
