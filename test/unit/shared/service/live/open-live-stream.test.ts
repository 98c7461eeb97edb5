import { PassThrough, Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { eventId } from '../../../../../shared/domain/event/event-id.ts';
import { EventFilter } from '../../../../../shared/domain/event/event-pattern/event-filter.ts';
import { ITEM_CHANGES, type WatchItems } from '../../../../../shared/lib/item-changes.ts';
import { SourceId, UserId } from '../../../../../shared/domain/id.ts';
import { LiveOutput } from '../../../../../shared/service/live/live-output.ts';
import {
  type LiveServices,
  openLiveStream,
  type StreamRequest,
} from '../../../../../shared/service/live/open-live-stream.ts';
import { SharedChecks } from '../../../../../shared/service/live/shared-checks.ts';
import { StreamPermits } from '../../../../../shared/service/live/stream-permits.ts';
import { Ticker } from '../../../../../shared/service/live/ticker.ts';
import { Watchers } from '../../../../../shared/service/live/watchers.ts';
import type { StoredEvent } from '../../../../../shared/store/events/event-item.ts';
import { itemWatch } from '../../../../../shared/store/table/item-watch.ts';
import { apiKeyKey, sourceKey, streamPartition } from '../../../../../shared/store/table/keys.ts';
import { bodyReads, stepsAtOnce } from '../../../../support/body-reads.ts';
import { FakeConnection } from '../../../../support/fake-connection.ts';

const emitterId = SourceId.parse('dc_aaaaaa');
const userId = UserId.parse('u_aaaaaa');

let stored: StoredEvent[] = [];
let reads = 0;
let permits = new Set<string>();
let isKey = true;
let validUntil: number | undefined;
let isOwner = true;
let checks = 0;
let limit: number;
let services: LiveServices;

function servicesOn(host: object): LiveServices {
  const watch = itemWatch(host, 'events');
  const reading = {
    readNewest: () => {
      reads += 1;
      return Promise.resolve(stored.toReversed());
    },
    events: { whole: (_emitter: unknown, { json }: { json: string }) => Promise.resolve(json) },
    steps: stepsAtOnce,
    watch,
    show: (_emitter: unknown, { id, json }: StoredEvent) => ({ id, event: JSON.parse(json) as unknown }),
    pause: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)),
    now: () => Date.now(),
  };
  return {
    ...reading,
    watchers: new Watchers(reading),
    checks: new SharedChecks(watch),
    comments: new Ticker(15_000),
    reads: bodyReads(),
    permits: new StreamPermits({
      store: {
        take: (_owner, options) => {
          if (permits.size >= options.limit) return Promise.resolve(undefined);
          const permit = `${permits.size}-${Math.random()}${options.end ?? ''}`;
          permits.add(permit);
          return Promise.resolve(permit);
        },
        taken: () => Promise.resolve(new Set(permits)),
        release: (_owner, permit) => Promise.resolve(void permits.delete(permit)),
      },
      limit,
      now: () => Date.now(),
    }),
    users: {
      findByKeyHash: () => {
        checks += 1;
        return Promise.resolve(isKey ? { userId, validUntil } : undefined);
      },
    },
  };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  stored = [];
  permits = new Set();
  [isKey, validUntil, isOwner, reads, checks] = [true, undefined, true, 0, 0];
  limit = 3;
  // Without an embedded table, so that timers ask for new events, as on AWS.
  services = servicesOn({});
});
afterEach(async () => {
  await vi.advanceTimersByTimeAsync(2_000);
  expect(permits.size, 'every stream has given back its permit').toBe(0);
  // Connections that earlier files of this process left may have timers of some seconds.
  await vi.advanceTimersByTimeAsync(28_000);
  expect(vi.getTimerCount(), 'every stream has ended its timers').toBe(0);
  vi.useRealTimers();
});

const event = (n: number): StoredEvent => ({
  stream: 'default',
  id: eventId({ ms: Date.now(), sequence: n }),
  emitId: `e${n}`,
  json: JSON.stringify({ n }),
  truncated: false,
  body: undefined,
  bytes: 0,
  indexedAt: Date.now(),
});

function allowStreams(count: number): void {
  limit = count;
  services = { ...services, permits: servicesOn({}).permits };
}

const requestOf = (more: Partial<StreamRequest> = {}): StreamRequest => ({
  userId,
  emitterId,
  stream: 'default',
  filter: undefined,
  fields: { include: [], exclude: [] },
  position: undefined,
  keyHash: 'hash',
  token: undefined,
  address: '192.0.2.1',
  client: undefined,
  until: undefined,
  isPoll: false,
  owner: { key: sourceKey(emitterId), isValid: () => Promise.resolve(isOwner) },
  ...more,
});

/** A client that reads everything. */
async function follow(more: Partial<StreamRequest> = {}) {
  const response = new PassThrough();
  let text = '';
  response.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const stream = await openLiveStream(services, requestOf(more));
  let isOver = false;
  const over = stream(new LiveOutput(response)).then(() => (isOver = true));
  await vi.advanceTimersByTimeAsync(0);
  return {
    text: () => text,
    isOver: () => isOver,
    async close() {
      response.destroy();
      await over;
    },
    over,
  };
}

describe('where nothing tells of new events', () => {
  test('one timer asks four times a second, for all listeners of a stream', async () => {
    const [first, second] = [await follow(), await follow()];
    const before = reads;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(reads - before).toBe(4);
    stored.push(event(0));
    await vi.advanceTimersByTimeAsync(250);
    for (const { text } of [first, second]) expect(text()).toContain('"event":{"n":0}');
    await first.close();
    await second.close();
    const after = reads;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(reads).toBe(after);
  });

  test('a rotated key, and an emitter that is gone, end the stream within 60 s', async () => {
    const first = await follow();
    isKey = false;
    await vi.advanceTimersByTimeAsync(60_000);
    await first.over;
    isKey = true;
    const second = await follow();
    isOwner = false;
    await vi.advanceTimersByTimeAsync(60_000);
    await second.over;
    await expect(follow()).rejects.toMatchObject({ kind: 'not_found' });
  });
});

describe('where the host tells of changes', () => {
  /** By partition. */
  let watched: Map<string, () => void>;
  beforeEach(() => {
    watched = new Map();
    const watchItems: WatchItems = ({ tableName, pk }, onChange) => {
      expect(tableName).toBe('events');
      watched.set(pk, onChange);
      return () => void watched.delete(pk);
    };
    services = servicesOn({ [ITEM_CHANGES]: watchItems });
  });
  const changed = (pk: string) => (watched.get(pk) ?? expect.fail(`${pk} is not watched`))();

  test('three listeners read no events while nothing happens, and have an event at once', async () => {
    const streams = [await follow(), await follow(), await follow()];
    const before = reads;
    await vi.advanceTimersByTimeAsync(60_000);
    expect([reads, checks]).toEqual([before, 2]);
    stored.push(event(0));
    changed(streamPartition(emitterId, 'default'));
    await vi.advanceTimersByTimeAsync(0);
    expect(reads).toBe(before + 1);
    for (const { text } of streams) expect(text()).toContain('"event":{"n":0}');
    for (const stream of streams) await stream.close();
    expect(watched.size, 'nothing is watched any more').toBe(0);
  });

  test('a key that expires ends its streams within a minute', async () => {
    validUntil = Date.now() + 20_000;
    const streams = [await follow(), await follow()];
    await vi.advanceTimersByTimeAsync(19_000);
    expect(streams.map(({ isOver }) => isOver())).toEqual([false, false]);
    await vi.advanceTimersByTimeAsync(61_000);
    for (const stream of streams) expect(stream.isOver()).toBe(true);
  });

  test('a change of its key ends a stream at once, if the key is not valid any more', async () => {
    const stream = await follow();
    const { pk } = apiKeyKey('hash');
    changed(pk);
    await vi.advanceTimersByTimeAsync(0);
    expect(stream.isOver()).toBe(false);
    isKey = false;
    changed(pk);
    await vi.advanceTimersByTimeAsync(0);
    await stream.over;
  });
});

test('the messages of each listener are made in a step of their own', async () => {
  const steps = vi.spyOn(services.steps, 'finish');
  try {
    const withSteps = new Watchers(services);
    services = { ...services, watchers: withSteps };
    const streams = [await follow(), await follow(), await follow()];
    stored.push(event(1));
    await vi.advanceTimersByTimeAsync(1_000);
    for (const { text } of streams) expect(text()).toContain('"n":1');
    expect(steps).toHaveBeenCalledTimes(3);
    for (const stream of streams) await stream.close();
  } finally {
    steps.mockRestore();
  }
});

test('a client that joins while the others wait for an event has it once', async () => {
  const first = await follow();
  stored.push(event(1), event(2));
  const second = await follow({ position: eventId({ ms: 0, sequence: 1 }) });
  await vi.advanceTimersByTimeAsync(1_000);
  stored.push(event(3));
  await vi.advanceTimersByTimeAsync(1_000);
  for (const { text } of [first, second])
    expect(text().match(/"event":\{"n":\d\}/g)).toEqual([1, 2, 3].map((n) => `"event":{"n":${n}}`));
  await first.close();
  await second.close();
});

test('an event that an overlapping run stores below a newer one is sent once', async () => {
  const [low, high] = [event(1), event(2)];
  const stream = await follow();
  stored.push(high);
  await vi.advanceTimersByTimeAsync(500);
  stored.unshift(low);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(stream.text().match(/"n":\d/g)).toEqual(['"n":2', '"n":1']);
  await stream.close();
});

test('a burst that pushes events out of the stream is told as a gap', async () => {
  stored.push(event(1));
  const stream = await follow();
  stored = Array.from({ length: 100 }, (_, n) => event(n + 50));
  await vi.advanceTimersByTimeAsync(500);
  expect(stream.text().match(/event: gap/g)).toHaveLength(1);
  expect(stream.text().match(/"n":/g)).toHaveLength(100);
  await stream.close();
});

test('a batch of which the stream keeps only the last 100 is told as a gap before it, however slowly it is stored', async () => {
  const before = event(0);
  stored = [before];
  const stream = await follow();
  const whole = event(1);
  const batch = Array.from({ length: 100 }, (_, n) => event(n + 50));
  const kept = batch.map((each, n) => (n === 0 ? { ...each, leftOut: 48 } : each));
  for (const length of [25, 50, 100]) {
    stored = [before, whole, ...kept.slice(0, length)].slice(-100);
    await vi.advanceTimersByTimeAsync(5_000);
  }
  expect(stream.text().match(/event: gap/g)).toHaveLength(1);
  expect(stream.text()).toMatch(/"n":1}[^]*event: gap[^]*"n":50}/);
  expect(stream.text().match(/"n":/g)).toHaveLength(101);
  await stream.close();
});

test('a client that connects again gets the gap of a cut batch before its events, after the whole ones', async () => {
  const [last, whole, cut] = [event(0), event(1), { ...event(50), leftOut: 48 }];
  stored = [last, whole, cut];
  const again = await follow({ position: last.id });
  expect(again.text()).toMatch(/"n":1}[^]*event: gap[^]*"n":50}/);
  await again.close();
  const whoHasIt = await follow({ position: cut.id });
  expect(whoHasIt.text()).not.toContain('gap');
  await whoHasIt.close();
});

test('a gap is told once where the stream lost older events and the batch was cut, too', async () => {
  const last = event(0);
  stored = Array.from({ length: 100 }, (_, n) => ({ ...event(n + 50), ...(n === 0 ? { leftOut: 49 } : {}) }));
  const again = await follow({ position: last.id });
  expect(again.text().match(/event: gap/g)).toHaveLength(1);
  await again.close();
});

test('a read that fails is repeated, and nothing is lost', async () => {
  const stream = await follow();
  const { readNewest } = services;
  let fails = true;
  const failing = new Watchers({
    ...services,
    readNewest: (...request) => (fails ? Promise.reject(new Error('throttled')) : readNewest(...request)),
  });
  fails = false;
  services = { ...services, watchers: failing };
  const second = await follow();
  fails = true;
  stored.push(event(1));
  await vi.advanceTimersByTimeAsync(3_000);
  expect(second.text()).not.toContain('"n":1');
  fails = false;
  await vi.advanceTimersByTimeAsync(1_500);
  expect(second.text()).toContain('"n":1');
  await stream.close();
  await second.close();
});

test('a comment comes every 15 s, and the stream ends before 14 minutes with `retry:`', async () => {
  const stream = await follow();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(stream.text().match(/^: $/gm)).toHaveLength(4);
  await vi.advanceTimersByTimeAsync(13 * 60_000 - 30_000);
  expect(stream.isOver()).toBe(false);
  await vi.advanceTimersByTimeAsync(30_000);
  await stream.over;
  expect(stream.text()).toMatch(/retry: 250\n\n$/);
});

test('a stream ends with its token', async () => {
  const stream = await follow({ until: Date.now() + 20_000 });
  await vi.advanceTimersByTimeAsync(15_000);
  expect(stream.isOver()).toBe(false);
  await vi.advanceTimersByTimeAsync(15_000);
  await stream.over;
});

test('a response that is gathered ends after 25 s without an event', async () => {
  const stream = await follow({ isPoll: true });
  await vi.advanceTimersByTimeAsync(24_900);
  expect(stream.isOver()).toBe(false);
  await vi.advanceTimersByTimeAsync(100);
  await stream.over;
  expect(stream.text()).toBe('retry: 250\n\nevent: start\nid: 0-0\ndata: {}\n\n');
});

test('a user follows so many streams; one that has ended makes room', async () => {
  const streams = [await follow(), await follow(), await follow()];
  await expect(follow()).rejects.toMatchObject({ kind: 'rate_limited', code: 'too_many_live_streams' });
  await streams[0]?.close();
  streams.push(await follow());
  for (const stream of streams.slice(1)) await stream.close();
});

describe('a replay', () => {
  const BODY = 300 * 1024;
  /** Bodies that were read, and what lets the reads go on. */
  let read = 0;
  let letGo: () => void;
  beforeEach(() => {
    read = 0;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    services.reads = bodyReads(async (json) => {
      read += 1;
      await held;
      return json;
    });
    stored = Array.from({ length: 30 }, (_, n) => ({ ...event(n), truncated: true, bytes: BODY }));
  });
  afterEach(() => {
    letGo();
  });
  const position = eventId({ ms: 0, sequence: 1 });
  const filter = EventFilter.parse('{"n":[-1]}');
  const soon = () => vi.advanceTimersByTimeAsync(0);
  const afterIterations = async () => {
    for (let n = 0; n < 20; n += 1) await new Promise((resolve) => setImmediate(resolve));
  };

  test('reads for one client of a user at a time, and every client gets everything', async () => {
    allowStreams(100);
    const streams = [];
    for (let n = 0; n < 12; n += 1) streams.push(await follow({ position }));
    await afterIterations();
    // Six of 300 KB.
    expect(read).toBe(6);
    letGo();
    for (const stream of streams) {
      await vi.waitFor(() => {
        expect(stream.text().match(/"n":/g)).toHaveLength(30);
      });
      expect(stream.text()).not.toContain('gap');
      await stream.close();
    }
  });

  test('that nothing passes ends with the client that hung up, and reads nothing for others that did', async () => {
    allowStreams(100);
    const streams = [];
    for (let n = 0; n < 50; n += 1) streams.push(await follow({ position, filter }));
    await afterIterations();
    for (const stream of streams) void stream.close();
    letGo();
    await Promise.all(streams.map(({ over }) => over));
    expect(read).toBe(6);
  });

  test('that has waited 10 s for others is skipped with a gap, and new events come', async () => {
    const first = await follow({ position });
    await afterIterations();
    const second = await follow({ position });
    await afterIterations();
    expect(second.text()).toBe('');
    stored.push({ ...event(99), json: '{"n":99}' });
    await vi.advanceTimersByTimeAsync(9_000);
    expect(second.text()).toBe('');
    await vi.advanceTimersByTimeAsync(1_000);
    await soon();
    expect(second.text()).toMatch(/^event: start\nid: .*\ndata: \{\}\n\nevent: gap\ndata: \{\}\n\nid: [^]*"n":99/);
    letGo();
    await first.close();
    await second.close();
  });

  test('does not wait for a client that does not read', async () => {
    letGo();
    const slow = new Writable({ highWaterMark: 1, write: () => undefined });
    const stream = await openLiveStream(services, requestOf({ position }));
    const over = stream(new LiveOutput(slow));
    await afterIterations();
    const reader = await follow({ position });
    await vi.waitFor(() => {
      expect(reader.text().match(/"n":/g)).toHaveLength(30);
    });
    slow.destroy();
    await over;
    await reader.close();
  });
});

test('a client that hung up before its stream begins costs neither a permit nor a read', async () => {
  const client = new FakeConnection();
  client.close();
  const before = reads;
  const stream = await follow({ client });
  await stream.over;
  expect([reads, permits.size]).toEqual([before, 0]);
});

describe('a stream of a token', () => {
  const token = { hash: 'token', maxStreams: 2 };
  beforeEach(() => {
    allowStreams(10);
  });

  test('ends when a newer one takes its place, and its client waits before it connects again', async () => {
    const first = await follow({ token });
    const second = await follow({ token, address: '192.0.2.2' });
    const third = await follow({ token, address: '192.0.2.2' });
    await second.over;
    expect(second.text()).toMatch(/retry: 15000\n\n$/);
    expect([first.isOver(), third.isOver()]).toEqual([false, false]);
    await first.close();
    await third.close();
  });

  test('ends by its next comment when another process gave its permit to a newer one', async () => {
    const stream = await follow({ token });
    permits.clear();
    await vi.advanceTimersByTimeAsync(15_000);
    await stream.over;
    expect(stream.text()).toMatch(/retry: 15000\n\n$/);
  });

  test('gives way to another one of its token where the user has no stream left', async () => {
    allowStreams(3);
    const byKey = [await follow(), await follow()];
    const first = await follow({ token });
    await expect(follow()).rejects.toMatchObject({ code: 'too_many_live_streams' });
    const second = await follow({ token });
    await first.over;
    await expect(follow({ token: { hash: 'other', maxStreams: 2 } })).rejects.toMatchObject({
      code: 'too_many_live_streams',
    });
    for (const stream of [...byKey, second]) await stream.close();
  });
});
