import { expect, test } from 'vitest';
import { createQuotas } from '../../../../../shared/service/admission/quotas.ts';
import type { Notice } from '../../../../../shared/domain/notice/notice.ts';
import { UserId } from '../../../../../shared/domain/id.ts';
import type { User } from '../../../../../shared/domain/user/user.ts';

const freeUser: User = {
  id: UserId.parse('u_1'),
  username: 'n',
  email: 'e@e',
  plan: 'free',
  keyHash: '',
  createdAt: 0,
};

test('a used-up quota is told to its user, and free again at 00:00 UTC, not some seconds later', async () => {
  const midnight = Date.UTC(2026, 0, 3);
  let now = midnight - 1;
  const notices: Notice[] = [];
  const quotas = createQuotas({
    users: { find: () => Promise.resolve(freeUser) },
    usages: {
      add: () => Promise.resolve(),
      ofDay: (_, at) => Promise.resolve({ invocations: at < midnight ? 5 : 0, computeMs: 0 }),
      ofPeriod: () => Promise.resolve(5),
    },
    limits: { freeInvocations: 5, freeComputeMs: 1_000 },
    notify: async (notice) => void notices.push(notice),
    now: () => now,
  });
  expect(await quotas.isOver(freeUser.id)).toBe(true);
  expect(notices).toEqual([
    expect.objectContaining({ name: 'quota.reached', subject: { id: 'u_1', name: 'n' }, since: now }),
  ]);
  now = midnight;
  expect(await quotas.isOver(freeUser.id)).toBe(false);
  expect(notices).toHaveLength(1);
});

test('a plan that the operator sets is enforced within seconds, also on a user whose sources are at work', async () => {
  const id = UserId.parse('u_1');
  let now = Date.UTC(2026, 0, 2, 3, 4, 5);
  let user: User = { id, username: 'n', email: 'e@e', plan: 'free', keyHash: '', createdAt: now };
  const nothing = () => Promise.resolve();
  const usage = () => Promise.resolve({ invocations: 5, computeMs: 5 });
  const quotas = createQuotas({
    users: { find: () => Promise.resolve(user) },
    usages: { add: nothing, ofDay: usage, ofPeriod: () => Promise.resolve(5) },
    limits: { freeInvocations: 1_000, freeComputeMs: 1_000 },
    notify: nothing,
    now: () => now,
  });
  const after = async (seconds: number) => {
    let is = await quotas.isOver(id);
    for (let second = 0; second < seconds; second += 1) {
      now += 1_000;
      is = await quotas.isOver(id);
    }
    return is;
  };
  expect(await after(0)).toBe(false);
  user = { ...user, dailyInvocations: 3 };
  expect(await after(8)).toBe(true);
  user = { ...user, plan: 'paid' };
  expect(await after(8)).toBe(false);
  user = { ...user, plan: 'free' };
  expect(await after(8)).toBe(true);
});
