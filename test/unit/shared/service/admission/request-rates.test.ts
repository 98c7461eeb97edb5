import { expect, test } from 'vitest';
import { SourceId, UserId, WorkflowId } from '../../../../../shared/domain/id.ts';
import { defaultUserLimits } from '../../../../../shared/domain/limits.ts';
import { createRequestRates } from '../../../../../shared/service/admission/request-rates.ts';
import { secondsUntilNextWindow, WINDOW_MS } from '../../../../../shared/service/admission/window-counts.ts';

const one = UserId.parse('u_1');
const other = UserId.parse('u_2');
const source = (n: number) => SourceId.parse(`dc_${n}`);

function opened({ sourceRequestRate = 100, userRequestRate = 1_000, emitters = 2 } = {}) {
  const shared = new Map<string, number>();
  const world = { now: 50 * WINDOW_MS, writes: 0, lost: 0, isBroken: false, looks: 0 };
  const instance = () =>
    createRequestRates({
      counts: {
        add: (id, { window, added }) => {
          world.writes += 1;
          if (world.isBroken) return Promise.reject(new Error('broken'));
          const total = (shared.get(`${id} ${window}`) ?? 0) + added;
          shared.set(`${id} ${window}`, total);
          return Promise.resolve(total);
        },
      },
      limits: { sourceRequestRate, userRequestRate },
      isOnlyEmitter: () => {
        world.looks += 1;
        return Promise.resolve(emitters === 1);
      },
      onLost: () => (world.lost += 1),
      now: () => world.now,
    });
  return { world, instance };
}

async function accepted(
  instances: readonly ReturnType<ReturnType<typeof opened>['instance']>[],
  requests: number,
  [emitterId, ownerId]: readonly [SourceId, UserId] = [source(1), one],
) {
  let count = 0;
  for (let n = 0; n < requests; n += 1)
    if (await instances[n % instances.length]?.accept(emitterId, ownerId)) count += 1;
  return count;
}

test('a source accepts its rate, on average over 10 s, and then nothing until the next 10 s begin', async () => {
  const { world, instance } = opened();
  const rates = [instance()];
  world.now += WINDOW_MS / 2;
  expect(await accepted(rates, 2_000)).toBe(1_000);
  world.now += WINDOW_MS / 2 - 1;
  expect(await accepted(rates, 10)).toBe(0);
  expect(secondsUntilNextWindow(world.now)).toBe(1);
  world.now += 1;
  expect(await accepted(rates, 2_000)).toBe(1_000);
});

test('a source leaves a quarter of the rate of its user to the others; sources of another user have their own', async () => {
  const { instance } = opened({ userRequestRate: 150 });
  const rates = [instance()];
  expect(await accepted(rates, 2_000)).toBe(1_000);
  expect(await accepted(rates, 2_000, [source(2), one])).toBe(375);
  expect(await accepted(rates, 2_000, [source(3), one])).toBe(125);
  expect(await accepted(rates, 10, [source(4), one])).toBe(0);
  expect(await accepted(rates, 2_000, [source(5), other])).toBe(1_000);
});

test('a source that had three quarters of the rate of its user takes no more, and one that had little goes on', async () => {
  const { instance } = opened({ sourceRequestRate: 1_000, userRequestRate: 100 });
  const rates = [instance(), instance()];
  expect(await accepted(rates, 40, [source(2), one])).toBe(40);
  const taken = await accepted(rates, 5_000);
  expect(taken).toBeGreaterThanOrEqual(710);
  expect(taken).toBeLessThanOrEqual(730);
  expect(await accepted(rates, 100, [source(2), one])).toBe(100);
  expect(await accepted(rates, 100)).toBe(0);
});

test('the only source of a user has the whole rate of the user, and asks for the others beyond three quarters only', async () => {
  const { world, instance } = opened({ sourceRequestRate: 1_000, userRequestRate: 100, emitters: 1 });
  const rates = [instance()];
  expect(await accepted(rates, 750)).toBe(750);
  expect(world.looks).toBe(0);
  expect(await accepted(rates, 5_000)).toBe(250);
});

test('with the limits of a stage on AWS one of several sources takes a burst of 10,000 requests within 10 s', async () => {
  const { instance } = opened(defaultUserLimits);
  const rates = [instance(), instance(), instance()];
  expect(await accepted(rates, 10_000)).toBe(10_000);
  expect(await accepted(rates, 1_000, [source(2), one])).toBe(1_000);
});

test('a workflow has the rate of a source', async () => {
  const { instance } = opened({ sourceRequestRate: 1 });
  const rates = instance();
  const workflow = WorkflowId.parse('p_abc1234');
  for (let n = 0; n < 10; n += 1) expect(await rates.accept(workflow, one)).toBe(true);
  expect(await rates.accept(workflow, one)).toBe(false);
});

test('each event of a request counts, and a request that begins below the rate is accepted whole', async () => {
  const { instance } = opened({ sourceRequestRate: 1 });
  const rates = instance();
  expect(await rates.accept(source(1), one, 9)).toBe(true);
  expect(await rates.accept(source(1), one, 100)).toBe(true);
  expect(await rates.accept(source(1), one)).toBe(false);
});

test('30 instances together accept at most a hundredth more for each of them', async () => {
  const { instance } = opened();
  const count = await accepted(Array.from({ length: 30 }, instance), 5_000);
  expect(count).toBeGreaterThanOrEqual(1_000);
  expect(count).toBeLessThanOrEqual(1_300);
});

test('nothing is written for a source that has less than a hundredth of its rate, and 100 writes for a full one', async () => {
  const { world, instance } = opened({ userRequestRate: 1_000_000 });
  const rates = [instance()];
  await accepted(rates, 9);
  expect(world.writes).toBe(0);
  await accepted(rates, 5_000);
  expect(world.writes).toBe(100);
});

test('a late response of the shared count takes nothing back', async () => {
  const responses: (() => void)[] = [];
  let total = 0;
  const rates = createRequestRates({
    counts: {
      add: (_, { added }) => {
        const now = (total += added);
        return total > 10 ? Promise.resolve(total) : new Promise((resolve) => responses.push(() => resolve(now)));
      },
    },
    limits: { sourceRequestRate: 1, userRequestRate: 1_000 },
    isOnlyEmitter: () => Promise.resolve(false),
    onLost: () => undefined,
    now: () => 0,
  });
  const requests = Array.from({ length: 10 }, () => rates.accept(source(1), one));
  expect(responses).toHaveLength(10);
  for (const respond of responses.toReversed()) respond();
  expect(await Promise.all(requests)).toEqual(Array.from({ length: 10 }, () => true));
  expect(await rates.accept(source(1), one)).toBe(false);
});

test('a refused request counts nothing', async () => {
  const { world, instance } = opened({ userRequestRate: 134 });
  const rates = [instance()];
  await accepted(rates, 100_000);
  const { writes } = world;
  expect(await accepted(rates, 2_000, [source(2), one])).toBe(335);
  expect(writes).toBeLessThan(250);
});

test('without the shared count requests are accepted, and each instance counts its own', async () => {
  const { world, instance } = opened();
  world.isBroken = true;
  expect(await accepted([instance()], 2_000)).toBe(1_000);
  expect(world.lost).toBeGreaterThan(0);
});
