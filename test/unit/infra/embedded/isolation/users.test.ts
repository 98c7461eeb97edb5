import { expect, test } from 'vitest';
import { USERS } from '../../../../../infra/embedded/isolation/level.ts';
import { Users } from '../../../../../infra/embedded/isolation/users.ts';

/** Each owner has an operating-system user that no other process of this machine has. */

const SECOND = 1000;

function usersOn(inUse: () => ReadonlySet<number>) {
  const state = { now: 0, scans: 0 };
  const users = new Users({
    inUse: () => {
      state.scans += 1;
      return inUse();
    },
    now: () => state.now,
  });
  return { users, state };
}

test('all processes of the machine are read at most once a second', async () => {
  const { users, state } = usersOn(() => new Set());

  for (let n = 0; n < 20; n += 1) await users.take(`a${n}`);
  expect(state.scans).toBe(1);

  state.now = SECOND;
  for (let n = 0; n < 20; n += 1) await users.take(`b${n}`);
  expect(state.scans).toBe(2);
});

test('a user of another process is not given to an owner', async () => {
  const all = Array.from({ length: USERS.last - USERS.first + 1 }, (_, n) => USERS.first + n);
  const inUse = new Set(all.slice(2));
  const { users, state } = usersOn(() => inUse);

  const taken = [await users.take('a'), await users.take('b')];
  expect(taken.toSorted()).toEqual(all.slice(0, 2));
  await expect(users.take('c')).rejects.toThrow('Every operating-system user');

  inUse.delete(USERS.last);
  state.now = SECOND;
  expect(await users.take('c')).toBe(USERS.last);
});
