import { expect, test } from 'vitest';
import { readSettings } from '../../../../bin/settings.ts';
import { UserId } from '../../../../shared/domain/id.ts';
import { hasQuota } from '../../../../functions/console/app/components/quota.ts';

const user = { id: UserId.parse('u_1'), username: 'me', email: 'me@example.com', api_key: 'key' };
const free = (quota: number) => ({
  ...user,
  daily_compute_time_quota: 1_000,
  daily_compute_time_used: 0,
  daily_invocations_quota: quota,
  daily_invocations_used: 0,
});

test('a quota that somebody set is shown, the one of npm start and a paid plan have none', () => {
  const { limits } = readSettings({}).stage;
  expect(hasQuota(free(limits.freeInvocations))).toBe(false);
  expect(hasQuota(free(1_000))).toBe(true);
  const period = { billing_period_start_ts: 0, billing_period_end_ts: 1, billing_period_invocations: 2 };
  expect(hasQuota({ ...user, ...period })).toBe(false);
});
