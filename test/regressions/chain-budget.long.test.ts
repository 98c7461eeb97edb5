import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Chain,
  chainLimit,
  chainsOfEvents,
  MAX_CHAIN_RUNS,
  MAX_HOPS,
  nextChain,
} from '../../shared/domain/run/chain.ts';
import { newId, SourceId } from '../../shared/domain/id.ts';
import type { StreamName } from '../../shared/domain/event/stream.ts';
import { PASS, Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

const sourceId = () => SourceId.parse(newId('source', Date.now(), randomBytes));

interface Graph {
  /** The listeners of each source. */
  listeners: (source: number) => readonly number[];
  /** The streams of a run's events; listeners listen to `default`. */
  streams?: (run: number) => readonly StreamName[];
}

/** The runs that one trigger of source 0 causes, counted as the service executes them. */
function runsOf({ listeners, streams = () => ['default'] }: Graph, most = 200_000): number {
  const ids: SourceId[] = [];
  const idOf = (source: number) => (ids[source] ??= sourceId());
  const waiting: { source: number; chain: Chain }[] = [{ source: 0, chain: { hops: 0 } }];
  let runs = 0;
  for (let next = waiting.shift(); next && runs + waiting.length < most; next = waiting.shift()) {
    const { source, chain } = next;
    if (chainLimit(chain, idOf(source)) !== undefined) continue;
    runs += 1;
    const emitted = streams(runs);
    const own = listeners(source);
    for (const [at, eventChain] of chainsOfEvents(chain, emitted).entries()) {
      if (emitted[at] !== 'default' || chainLimit(eventChain, idOf(source)) !== undefined) continue;
      for (const [index, listener] of own.entries()) {
        const rank = { index, count: own.length, hasNextPage: false };
        waiting.push({ source: listener, chain: nextChain(eventChain, idOf(source), rank) });
      }
    }
  }
  return runs - 1;
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const complete = (size: number) => ({
  listeners: (source: number) => numbers(size).filter((other) => other !== source),
});

test.for([
  ['a complete graph of 8 sources', complete(8)],
  ['a complete graph of 30 sources', complete(30)],
  ['a complete graph whose sources emit three events', { ...complete(8), streams: () => Array(3).fill('default') }],
  [
    'layers of 20 sources without a loop',
    { listeners: (source: number) => numbers(20).map((n) => (Math.ceil(source / 20) * 20 || 0) + 1 + n) },
  ],
  [
    'a complete graph whose sources write logs and fail',
    { ...complete(8), streams: () => ['default', '$errors', '$logs'] },
  ],
] as const)('%s makes at most 1,000 runs of one trigger', ([, graph]) => {
  const runs = runsOf(graph);
  expect(runs).toBeLessThanOrEqual(MAX_CHAIN_RUNS);
  expect(runs).toBeGreaterThan(100);
});

const line = (source: number) => (source < 40 ? [source + 1] : []);

test.for([
  ['a line of 16 hops', { listeners: line }, MAX_HOPS],
  ['a line whose sources write logs', { listeners: line, streams: () => ['default', '$logs'] }, MAX_HOPS],
  ['100 listeners in one hop', { listeners: (source: number) => (source === 0 ? numbers(101).slice(1) : []) }, 100],
  [
    '1,000 listeners in one hop',
    { listeners: (source: number) => (source === 0 ? numbers(1_001).slice(1) : []) },
    1_000,
  ],
  [
    '100 listeners in the second hop',
    { listeners: (source: number) => (source === 0 ? [1] : source === 1 ? numbers(102).slice(2) : []) },
    101,
  ],
  [
    'a line of 16 hops for each of 2,000 events of one run',
    { listeners: line, streams: (run: number) => Array(run === 1 ? 2_000 : 1).fill('default') },
    2_000 * MAX_HOPS,
  ],
] as const)('%s runs whole', ([, graph, expected]) => {
  expect(runsOf(graph as Graph)).toBe(expected);
});

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

test(
  'a complete graph of 8 sources ends by itself, within 1,000 runs, and says so in $errors',
  { timeout: 120_000 },
  async () => {
    const sources = await Promise.all(numbers(8).map(() => scene.source(PASS)));
    const hook = await scene.webhook();
    for (const { id } of sources) {
      for (const other of sources) if (other.id !== id) await scene.subscribe(id, other.id);
      await scene.subscribe(id, hook.id);
    }
    expect((await scene.api.post(`/sources/${sources[0]?.id}/run`, { n: 1 })).status).toBe(200);
    const errors = await scene.errorsOf(sources[1]?.id ?? '');
    let quietSince = 0;
    await until(
      'the chain has ended',
      async () => {
        const isQuiet = (await scene.isThrough()) && !scene.isBusy();
        quietSince = isQuiet ? quietSince || Date.now() : 0;
        return isQuiet && Date.now() - quietSince > 1_000;
      },
      { withinMs: 90_000 },
    );
    const runs = new Set(hook.receiver.received.map(({ headers }) => headers['webhook-id'])).size;
    expect(runs).toBeLessThanOrEqual(1 + MAX_CHAIN_RUNS);
    expect(runs).toBeGreaterThan(100);
    const all = (
      await Promise.all(sources.map(({ id }) => scene.events(id, { event_name: '$errors', expand: 'event' })))
    ).flat();
    const messages = all.map(({ event }) => `${event.error.code}: ${event.error.message}`);
    expect(messages.some((text) => text.startsWith('hop_limit') && text.includes('at most 1000 runs'))).toBe(true);
    expect(errors[0]?.event.error.code).toBe('hop_limit');
    // One report of a source and chain, not one of each cut branch.
    const budget = messages.filter((text) => text.includes('at most 1000 runs'));
    expect(budget.length).toBeLessThanOrEqual(sources.length);
    // Another request begins another chain.
    hook.receiver.received.length = 0;
    expect((await scene.api.post(`/sources/${sources[3]?.id}/run`, { n: 2 })).status).toBe(200);
    await until('the second request ran', () => hook.receiver.received.length > 8);
  },
);
