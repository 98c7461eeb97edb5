import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FairGate } from '../../../../../shared/lib/reading/fair-gate.ts';
import { FakeConnection } from '../../../../support/fake-connection.ts';

const withinMs = 10_000;
let gate: FairGate;
let entered: string[];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  gate = new FairGate();
  entered = [];
});
afterEach(() => {
  expect(vi.getTimerCount(), 'every wait has ended its timer').toBe(0);
  vi.useRealTimers();
});

const enter = async (key: string, lane: string, client?: FakeConnection) => {
  const entry = await gate.enter(key, lane, { withinMs, client });
  if (entry === 'entered') entered.push(lane);
  return entry;
};
const leaveUntilIdle = async (key: string, count: number) => {
  for (let n = 0; n < count; n += 1) {
    gate.leave(key);
    await vi.advanceTimersByTimeAsync(0);
  }
};

test('one piece of work of a key at a time, and those of other keys beside it', async () => {
  expect(await enter('a', 'first')).toBe('entered');
  const second = enter('a', 'second');
  expect(await enter('b', 'other')).toBe('entered');
  expect(entered).toEqual(['first', 'other']);
  gate.leave('a');
  expect(await second).toBe('entered');
});

test('lanes take turns: one with a hundred waiting pieces delays another lane by one', async () => {
  await enter('a', 'many');
  const many = Array.from({ length: 100 }, () => enter('a', 'many'));
  const few = enter('a', 'few');
  await leaveUntilIdle('a', 2);
  expect(entered).toEqual(['many', 'many', 'few']);
  await few;
  await leaveUntilIdle('a', 100);
  await Promise.all(many);
  expect(await enter('a', 'next')).toBe('entered');
});

test('a wait ends after its time, and the next piece of work goes on', async () => {
  await enter('a', 'first');
  const late = enter('a', 'second');
  await vi.advanceTimersByTimeAsync(withinMs - 1);
  const next = enter('a', 'third');
  await vi.advanceTimersByTimeAsync(1);
  expect(await late).toBe('late');
  gate.leave('a');
  expect(await next).toBe('entered');
});

test('nothing waits for a client that is gone, and the others keep their order', async () => {
  await enter('a', 'first');
  const clients = Array.from({ length: 300 }, () => new FakeConnection());
  const waits = clients.map((client) => enter('a', 'gone', client));
  const stays = enter('a', 'stays', new FakeConnection());
  for (const client of clients) client.close();
  expect(new Set(await Promise.all(waits))).toEqual(new Set(['gone']));
  expect(clients.filter(({ watchers }) => watchers > 0)).toEqual([]);
  gate.leave('a');
  expect(await stays).toBe('entered');
  expect(await enter('b', 'gone', clients[0])).toBe('gone');
  expect(await enter('b', 'free')).toBe('entered');
});
