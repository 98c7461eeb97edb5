import { describe, expect, test } from 'vitest';
import { createQuotas } from '../../../../../shared/service/admission/quotas.ts';
import type { Notice } from '../../../../../shared/domain/notice/notice.ts';
import { SourceId, UserId } from '../../../../../shared/domain/id.ts';
import type { Usage } from '../../../../../shared/store/users/usage.ts';
import type { User } from '../../../../../shared/domain/user/user.ts';

const freeUser: User = {
  id: UserId.parse('u_1'),
  username: 'n',
  email: 'e@e',
  plan: 'free',
  keyHash: '',
  createdAt: 0,
};

const source = (n: number) => ({ sourceId: SourceId.parse(`dc_${n}`), ownerId: freeUser.id });
/** The user has one source, which ran all that the user did. */
const alone = {
  sourceUsage: () => Promise.resolve({ invocations: 5, computeMs: 5 }),
  isOnlySource: () => Promise.resolve(true),
};

test('a used-up quota is told to its user, and free again at 00:00 UTC, not some seconds later', async () => {
  const midnight = Date.UTC(2026, 0, 3);
  let now = midnight - 1;
  const notices: Notice[] = [];
  const quotas = createQuotas({
    users: { find: () => Promise.resolve(freeUser) },
    usages: {
      ofDay: (_, at) => Promise.resolve({ invocations: at < midnight ? 5 : 0, computeMs: 0 }),
    },
    ...alone,
    limits: { freeInvocations: 5, freeComputeMs: 1_000 },
    notify: async (notice) => void notices.push(notice),
    now: () => now,
  });
  expect(await quotas.isOver(source(1))).toBe(true);
  expect(notices).toEqual([
    expect.objectContaining({ name: 'quota.reached', subject: { id: 'u_1', name: 'n' }, since: now }),
  ]);
  now = midnight;
  expect(await quotas.isOver(source(1))).toBe(false);
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
    usages: { ofDay: usage },
    ...alone,
    limits: { freeInvocations: 1_000, freeComputeMs: 1_000 },
    notify: nothing,
    now: () => now,
  });
  const after = async (seconds: number) => {
    let is = await quotas.isOver(source(1));
    for (let second = 0; second < seconds; second += 1) {
      now += 1_000;
      is = await quotas.isOver(source(1));
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

describe('beyond three quarters of a quota', () => {
  const LIMITS = { freeInvocations: 1_000, freeComputeMs: 100_000 };

  /** Quotas, the usage of each source, and the reads that it cost. */
  function scene(sources: Record<string, Usage>, { isOnly = false } = {}) {
    const world = { now: Date.UTC(2026, 0, 2, 12), reads: 0, notices: 0 };
    const sumOf = (measure: keyof Usage) => Object.values(sources).reduce((sum, usage) => sum + usage[measure], 0);
    const quotas = createQuotas({
      users: { find: () => Promise.resolve(freeUser) },
      usages: {
        ofDay: () => Promise.resolve({ invocations: sumOf('invocations'), computeMs: sumOf('computeMs') }),
      },
      sourceUsage: (id) => {
        world.reads += 1;
        return Promise.resolve(sources[id] ?? { invocations: 0, computeMs: 0 });
      },
      isOnlySource: () => Promise.resolve(isOnly),
      limits: LIMITS,
      notify: async () => void (world.notices += 1),
      now: () => world.now,
    });
    return { world, isOver: (n: number) => quotas.isOver(source(n)) };
  }

  test('the source that used it up is refused, and its siblings run until the quota is used up', async () => {
    const used = {
      dc_1: { invocations: 750, computeMs: 750 },
      dc_2: { invocations: 0, computeMs: 0 },
    };
    const { world, isOver } = scene(used);
    expect([await isOver(1), await isOver(2), await isOver(3)]).toEqual([true, false, false]);
    expect(world.notices).toBe(0);
    used.dc_2.invocations = 249;
    world.now += 20_000;
    expect([await isOver(1), await isOver(2)]).toEqual([true, false]);
    used.dc_2.invocations = 250;
    world.now += 20_000;
    expect([await isOver(2), await isOver(3)]).toEqual([true, true]);
    expect(world.notices).toBeGreaterThan(0);
  });

  test('a source that used little goes on although many siblings used little each, too', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 9 }, (_, n) => [`dc_${n}`, { invocations: 100, computeMs: 1 }]),
    );
    expect(await scene(many).isOver(3)).toBe(false);
  });

  test('of compute time, a source with few long runs is refused, and one with short runs goes on', async () => {
    const { isOver } = scene({
      dc_1: { invocations: 10, computeMs: 80_000 },
      dc_2: { invocations: 200, computeMs: 400 },
    });
    expect([await isOver(1), await isOver(2)]).toEqual([true, false]);
  });

  test('the only source of a user runs until the quota is used up', async () => {
    const used = { dc_1: { invocations: 999, computeMs: 0 } };
    const { world, isOver } = scene(used, { isOnly: true });
    expect(await isOver(1)).toBe(false);
    used.dc_1.invocations = 1_000;
    world.now += 20_000;
    expect(await isOver(1)).toBe(true);
  });

  test('below it nothing is read of the sources; beyond it once in 10 s, whatever the number of runs', async () => {
    const used = { dc_1: { invocations: 749, computeMs: 0 } };
    const { world, isOver } = scene(used);
    await isOver(1);
    expect(world.reads).toBe(0);
    used.dc_1.invocations = 750;
    world.now += 20_000;
    for (let run = 0; run < 100; run += 1) await isOver(1);
    expect(world.reads).toBe(1);
  });
});
