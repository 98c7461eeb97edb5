import { expect, test } from 'vitest';
import { UserId } from '../../../../../shared/domain/id.ts';
import { createLookUpRates, MAX_LOOKED_UP } from '../../../../../shared/service/admission/look-up-rates.ts';
import { WINDOW_MS } from '../../../../../shared/service/admission/window-counts.ts';

const one = UserId.parse('u_1');
const other = UserId.parse('u_2');
const refusal = { kind: 'rate_limited', code: 'rate_exceeded' };

function opened() {
  const shared = new Map<string, number>();
  const world = { now: 50 * WINDOW_MS, writes: 0, lost: 0, isBroken: false };
  const instance = () =>
    createLookUpRates({
      counts: {
        add: (id, { window, added }) => {
          world.writes += 1;
          if (world.isBroken) return Promise.reject(new Error('broken'));
          const total = (shared.get(`${id} ${window}`) ?? 0) + added;
          shared.set(`${id} ${window}`, total);
          return Promise.resolve(total);
        },
      },
      onLost: () => (world.lost += 1),
      now: () => world.now,
    });
  return { world, instance };
}

test('look-ups of a user may ask so many streams in 10 s, in all instances together; another user is not affected', async () => {
  const { world, instance } = opened();
  const [first, second] = [instance(), instance()];
  await first.admit(one, MAX_LOOKED_UP / 2);
  await second.admit(one, MAX_LOOKED_UP / 2);
  await expect(second.admit(one, 1)).rejects.toMatchObject({ ...refusal, retryAfterSeconds: 10 });
  await second.admit(other, 1);
  world.now += WINDOW_MS - 1;
  await expect(second.admit(one, 1)).rejects.toMatchObject({ ...refusal, retryAfterSeconds: 1 });
  world.now += 1;
  await second.admit(one, 1);
});

test('one look-up may ask more, so that a user with more streams can make one', async () => {
  const { instance } = opened();
  const lookUps = instance();
  await lookUps.admit(one, 3 * MAX_LOOKED_UP);
  await expect(lookUps.admit(one, 1)).rejects.toMatchObject(refusal);
});

test('look-ups at the same time are counted before any of them reads', async () => {
  const { instance } = opened();
  const lookUps = instance();
  const results = await Promise.allSettled(Array.from({ length: 50 }, () => lookUps.admit(one, MAX_LOOKED_UP / 4)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
});

test('a refused look-up costs no write, and small ones share one', async () => {
  const { world, instance } = opened();
  const lookUps = instance();
  for (let n = 0; n < 99; n += 1) await lookUps.admit(one, 1);
  expect(world.writes).toBe(0);
  await lookUps.admit(one, MAX_LOOKED_UP);
  expect(world.writes).toBe(1);
  for (let n = 0; n < 20; n += 1) await expect(lookUps.admit(one, 1)).rejects.toMatchObject(refusal);
  expect(world.writes).toBe(1);
});

test('without the shared count an instance still limits its own look-ups', async () => {
  const { world, instance } = opened();
  world.isBroken = true;
  const lookUps = instance();
  await lookUps.admit(one, MAX_LOOKED_UP);
  expect(world.lost).toBe(1);
  await expect(lookUps.admit(one, 1)).rejects.toMatchObject(refusal);
});
