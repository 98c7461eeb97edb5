import type { Limits } from '../../domain/limits.ts';
import type { BillingPeriod } from '../../domain/user/billing-period.ts';
import type { User, UserProfile } from '../../domain/user/user.ts';
import type { Usage } from '../../store/users/usage.ts';
import type { WithWireFields } from '../settings/wire-fields.ts';
import { seconds } from './show.ts';

const common = ({ id, username, email }: User) =>
  ({ id, username, email }) satisfies WithWireFields<UserProfile, unknown>;

/** `apiKey` is the key of the request, if it has one: only its hash is stored. */
export const showFreeUser = (
  user: User,
  { limits, apiKey, used }: { limits: Limits; apiKey: string | undefined; used: Usage },
) => ({
  ...common(user),
  ...(apiKey === undefined ? {} : { api_key: apiKey }),
  daily_compute_time_quota: user.dailyComputeMs ?? limits.freeComputeMs,
  daily_compute_time_used: Math.ceil(used.computeMs),
  daily_invocations_quota: user.dailyInvocations ?? limits.freeInvocations,
  daily_invocations_used: used.invocations,
});

export const showPaidUser = (user: User, { period, invocations }: { period: BillingPeriod; invocations: number }) => {
  const isFirstPeriod = period.start === user.paidSince;
  const unbilled = isFirstPeriod ? (user.unbilledInHour ?? 0) : 0;
  return {
    ...common(user),
    billing_period_start_ts: seconds(period.start),
    billing_period_end_ts: seconds(period.end),
    billing_period_invocations: Math.max(0, invocations - unbilled),
  };
};
