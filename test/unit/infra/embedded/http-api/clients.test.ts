import { describe, expect, test } from 'vitest';
import { KnownCallers, proofOf } from '../../../../../infra/embedded/http-api/clients/known-callers.ts';
import { KeylessShare } from '../../../../../infra/embedded/http-api/clients/keyless-share.ts';
import { TurnPace } from '../../../../../infra/embedded/http-api/clients/turn-pace.ts';
import { networkOf } from '../../../../../shared/domain/network/network-of.ts';
import { until } from '../../../../support/until.ts';

describe('a client, for limits', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:DB8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
    ['unix', 'unix'],
  ])('%j is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

describe('requests without a key', () => {
  /** Work that is done when it is told to. */
  function works() {
    const started: string[] = [];
    const ends: (() => void)[] = [];
    const work = (name: string) => () => {
      started.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    };
    return { started, ends, work };
  }
  const eventLoopTurn = () => new Promise((resolve) => setImmediate(resolve));

  test('begin one in each turn of the event loop, one client after the other', async () => {
    const share = new KeylessShare();
    const { started, work } = works();
    for (let n = 0; n < 5; n += 1) void share.run('a', work(`a${n}`));
    void share.run('b', work('b0'));
    void share.run('c', work('c0'));
    const counts: number[] = [];
    while (started.length < 7) {
      await eventLoopTurn();
      counts.push(started.length);
    }
    expect(started).toEqual(['a0', 'b0', 'c0', 'a1', 'a2', 'a3', 'a4']);
    expect(counts.every((count, n) => count - (counts[n - 1] ?? 0) <= 1)).toBe(true);
  });

  test('of one client are in work ten at a time; another client does not wait for them', async () => {
    const share = new KeylessShare();
    const { started, ends, work } = works();
    for (let n = 0; n < 30; n += 1) void share.run('slow', work('slow'));
    await until('ten', () => started.length === 10);
    void share.run('other', work('other'));
    await until('the other', () => started.includes('other'));
    expect(started).toHaveLength(11);
    for (let n = 0; n < 31; n += 1) (await until('work', () => ends.shift()))();
    await until('all', () => started.length === 31);
  });

  test('that fail give their place back', async () => {
    const share = new KeylessShare();
    for (let n = 0; n < 30; n += 1)
      await expect(share.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  });
});

describe('the pace of requests', () => {
  const eventLoopTurn = () => new Promise((resolve) => setImmediate(resolve));

  test('lets requests of 20 ms begin in one turn of the event loop, their promises included', async () => {
    let now = 0;
    const pace = new TurnPace(() => now);
    const started: number[] = [];
    const work = (n: number) => async () => {
      started.push(n);
      for (let hop = 0; hop < 5; hop += 1) await Promise.resolve();
      now += 5;
    };
    for (let n = 0; n < 40; n += 1) {
      pace.start('a', () => void work(n)());
      // Node settles promises between what it reads from two connections.
      for (let hop = 0; hop < 7; hop += 1) await Promise.resolve();
    }
    const counts: number[] = [];
    while (started.length < 40) {
      const before = started.length;
      await eventLoopTurn();
      counts.push(started.length - before);
    }
    expect(Math.max(...counts)).toBeLessThanOrEqual(5);
    expect(started).toEqual(Array.from({ length: 40 }, (_, n) => n));
  });

  test('lets a client begin before the many waiting requests of another one', async () => {
    let now = 0;
    const pace = new TurnPace(() => now);
    const started: string[] = [];
    const work = (name: string) => () => {
      started.push(name);
      now += 5;
    };
    for (let n = 0; n < 50; n += 1) pace.start('many', work('many'));
    pace.start('one', work('one'));
    while (started.length < 51) await eventLoopTurn();
    expect(started.indexOf('one')).toBeLessThan(10);
  });
});

test('a caller shows a key, an endpoint, or the credential of a workflow', () => {
  const headers = { host: 'h', authorization: 'Bearer k' };
  expect(proofOf('api', '/v1/users/me', headers)).toBe('Bearer k');
  for (const path of ['/docs', '/console', '/v10']) expect(proofOf('api', path, headers)).toBeUndefined();
  expect(proofOf('api', '/v1/users/me', { host: 'h' })).toBeUndefined();
  expect(proofOf('ingress', '/abc/def', headers)).toBe(proofOf('ingress', '/abc', { host: 'h' }));
  const workflow = (path: string, authorization: string) => proofOf('ingress', path, { authorization });
  expect(workflow('/workflows/p_1/emits', 'a')).toBe(workflow('/workflows/p_1/errors', 'a'));
  expect(workflow('/workflows/p_1/emits', 'a')).not.toBe(workflow('/workflows/p_1/emits', 'b'));
});

test.each(['h/', `h/${'long'.repeat(40)}`, 'Bearer '])('callers whose proofs begin with %s are told apart', (start) => {
  const callers = new KnownCallers();
  callers.add(`${start}one`);
  expect([callers.has(`${start}one`), callers.has(`${start}two`)]).toEqual([true, false]);
});

test('a key counts as accepted for a minute', () => {
  let now = 1_000;
  const keys = new KnownCallers(() => now);
  keys.add('Bearer one');
  expect([keys.has('Bearer one'), keys.has('Bearer two')]).toEqual([true, false]);
  now += 60_000;
  expect(keys.has('Bearer one')).toBe(false);
});
