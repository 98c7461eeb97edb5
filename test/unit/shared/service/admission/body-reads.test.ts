import { expect, test } from 'vitest';
import { eventId } from '../../../../../shared/domain/event/event-id.ts';
import { SourceId, UserId } from '../../../../../shared/domain/id.ts';
import type { BodyRead } from '../../../../../shared/service/admission/body-reads.ts';
import type { StoredEvent } from '../../../../../shared/store/events/event-item.ts';
import { bodyReads } from '../../../../support/body-reads.ts';
import { FakeConnection } from '../../../../support/fake-connection.ts';
import { until } from '../../../../support/until.ts';

const userId = UserId.parse('u_aaaaaa');
const emitterId = SourceId.parse('dc_aaaaaa');

const stored = Array.from({ length: 100 }, (_, n): StoredEvent => ({
  stream: 'default',
  id: eventId({ ms: 1, sequence: n }),
  emitId: `e${n}`,
  json: '{}',
  truncated: true,
  body: 'object',
  bytes: 900_000,
  indexedAt: 1,
}));

/** Reads that wait until they are let go. */
function heldReads() {
  let read = 0;
  let open = 0;
  let most = 0;
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const reads = bodyReads(async (json) => {
    read += 1;
    open += 1;
    most = Math.max(most, open);
    await held;
    open -= 1;
    return `${json} `;
  });
  return {
    reads,
    count: () => read,
    most: () => most,
    letGo: () => {
      letGo();
    },
  };
}

const walk = async (read: BodyRead) => {
  let count = 0;
  for await (const { whole } of read.whole(emitterId, stored)) count += whole.json.length > 0 ? 1 : 0;
  return count;
};
const request = (client: FakeConnection | undefined = undefined, lane = 'a') => ({ userId, lane, client });

test('300 reads whose clients hang up read no more than the first one has begun', async () => {
  const { reads, count, letGo } = heldReads();
  const clients = Array.from({ length: 300 }, () => new FakeConnection());
  const outcomes = clients.map((client) => reads.runWithin('replay', { ...request(client), withinMs: 60_000 }, walk));
  await until('the first has begun', () => count() > 0);
  const started = count();
  for (const client of clients) client.close();
  letGo();
  expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['gone']));
  expect(count()).toBe(started);
  expect(started).toBeLessThanOrEqual(8);
});

test('a client that hung up before its read begins costs no read', async () => {
  const { reads, count } = heldReads();
  const client = new FakeConnection();
  const outcome = reads.run('filter', request(client), walk);
  client.close();
  await expect(outcome).rejects.toMatchObject({ code: 'unavailable' });
  expect(count()).toBe(0);
});

test('a user has one read of each kind at a time, another user reads beside it, and all get everything', async () => {
  const { reads, most, letGo } = heldReads();
  const kinds = ['replay', 'filter', 'page'] as const;
  const run = (kind: (typeof kinds)[number]) => reads.run(kind, request(new FakeConnection()), walk);
  const own = kinds.flatMap((kind) => [run(kind), run(kind), run(kind)]);
  const other = reads.run('filter', { ...request(), userId: UserId.parse('u_bbbbbb') }, walk);
  await until('all that may read do', () => most() >= 4 * 2);
  letGo();
  expect(await Promise.all([...own, other])).toEqual(Array.from({ length: 10 }, () => 100));
  // Two events of 900 KB at a time.
  expect(most()).toBe(4 * 2);
});

test('a read that fails lets the next one begin', async () => {
  const reads = bodyReads(() => Promise.reject(new Error('throttled')));
  await expect(reads.run('page', request(), walk)).rejects.toThrow('throttled');
  expect(await reads.run('page', request(), () => Promise.resolve('next'))).toBe('next');
});

test('a read that has waited too long is told so, and the first one goes on', async () => {
  const { reads, count, letGo } = heldReads();
  const first = reads.run('filter', request(), walk);
  await until('it has begun', () => count() > 0);
  expect(await reads.runWithin('filter', { ...request(), withinMs: 1 }, walk)).toBe('late');
  letGo();
  expect(await first).toBe(100);
});
