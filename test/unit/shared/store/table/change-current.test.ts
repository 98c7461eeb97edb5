import { expect, test } from 'vitest';
import { changeCurrent } from '../../../../../shared/store/table/change-current.ts';

/** An item whose first `lost` changes meet another writer. */
function contestedItem(lost: number) {
  const item = { version: 0, finds: 0, writes: 0 };
  const find = async () => {
    item.finds += 1;
    return { version: item.version };
  };
  const write = async ({ version }: { version: number }) => {
    item.writes += 1;
    if (item.writes <= lost) item.version += 1;
    if (version !== item.version) return undefined;
    item.version += 1;
    return { version: item.version };
  };
  return { item, find, write };
}

function recordedPauses(random = 1) {
  const pauses: number[] = [];
  return { pauses, random: () => random, pause: async (ms: number) => void pauses.push(ms) };
}

test('a change that meets another writer reads the item again', async () => {
  const { item, find, write } = contestedItem(2);
  expect(await changeCurrent({ find, write }, recordedPauses())).toEqual({ version: 3 });
  expect(item).toEqual({ version: 3, finds: 3, writes: 3 });
});

test('an item that was read before is read again only after another writer', async () => {
  const { item, find, write } = contestedItem(0);
  expect(await changeCurrent({ read: { version: 0 }, find, write }, recordedPauses())).toEqual({
    version: 1,
  });
  expect(item.finds).toBe(0);
});

test('a change that became unnecessary ends without another write', async () => {
  const { item, find, write } = contestedItem(Infinity);
  const result = await changeCurrent(
    { find, write: async (found) => (found.version === 2 ? found : write(found)) },
    recordedPauses(),
  );
  expect([result, item.writes]).toEqual([{ version: 2 }, 2]);
});

test('an item that was deleted meanwhile ends the change', async () => {
  let finds = 0;
  const find = async () => ((finds += 1) === 1 ? {} : undefined);
  expect(await changeCurrent({ find, write: async () => false }, recordedPauses())).toBeUndefined();
  expect(finds).toBe(2);
});

test('a change that meets other writers 40 times ends as unavailable, which callers repeat', async () => {
  const { item, find, write } = contestedItem(Infinity);
  const { pauses, ...chance } = recordedPauses();
  await expect(changeCurrent({ find, write }, chance)).rejects.toMatchObject({
    name: 'ServiceError',
    kind: 'unavailable',
    code: 'unavailable',
  });
  expect(item.writes).toBe(40);
  expect(pauses).toEqual([2, 4, 8, 16, 32, 64, 128, ...Array<number>(32).fill(250)]);
});

test('pauses are a random part of their longest time', async () => {
  const { find, write } = contestedItem(3);
  const { pauses, ...chance } = recordedPauses(0.25);
  await changeCurrent({ find, write }, chance);
  expect(pauses).toEqual([0.5, 1, 2]);
});

test('the error of a write ends the change', async () => {
  const { find } = contestedItem(0);
  const write = () => Promise.reject(new Error('no'));
  await expect(changeCurrent({ find, write }, recordedPauses())).rejects.toThrow('no');
});
