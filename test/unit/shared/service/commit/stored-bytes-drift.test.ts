import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DEFAULT_STREAM, type StreamName } from '../../../../../shared/domain/event/stream.ts';
import type { Received } from '../../../../../shared/domain/run/received-trigger.ts';
import type { Trigger } from '../../../../../shared/domain/run/message.ts';
import type { Source } from '../../../../../shared/domain/source/source.ts';
import { DAY_MS } from '../../../../../shared/lib/durations.ts';
import { executeSynchronously } from '../../../../../shared/service/runs/synchronous-run.ts';
import { dyingProcess } from '../../../../support/dying-process.ts';
import { emits, ended } from '../../../../support/world/script.ts';
import { type World, openWorld } from '../../../../support/world/world.ts';

const FREED_WITHIN_MS = 10_000;
/** More than an emitter has counters. */
const STREAMS = ['default', ...Array.from({ length: 14 }, (_, n) => `stream ${n}`)] as StreamName[];

let stage: World;
let source: Source;
let size = 0;
beforeEach(async () => {
  stage = await openWorld();
  source = await stage.source();
});
afterEach(() => stage.close());

const counted = async () => (await stage.stored()).total;
async function stored(): Promise<number> {
  const refs = await Promise.all(STREAMS.map((stream) => stage.services.events.refs(source.id, stream)));
  return refs.flat().reduce((sum, { bytes }) => sum + bytes, 0);
}

const scriptOf = (stream: StreamName, count: number) => () => {
  // A component that runs again may emit other events than the first time.
  const length = (size = (size * 31 + 17) % 800);
  const lines = Array.from({ length: count }, (_, n) =>
    emits(JSON.stringify({ n, text: 'x'.repeat(length) }), stream === 'default' ? {} : { name: stream }),
  );
  return [...lines, ended()];
};

/** Executes a trigger as the queue does: again, after a process that had it died. */
async function execute(trigger: Trigger, diesAt?: number): Promise<void> {
  const [received] = stage.received([trigger]);
  if (!received) throw new Error('Nothing was received');
  for (let receiveCount = 1; receiveCount < 5; receiveCount += 1) {
    const again: Received = { ...received, receiveCount };
    const isDying = receiveCount === 1 && diesAt !== undefined;
    const { services } = dyingProcess(stage.services, {
      diesAt: ({ index }) =>
        isDying && index === Math.floor(diesAt / 2) ? (['before', 'after'] as const)[diesAt % 2] : undefined,
    });
    if ((await stage.execute([again], { with: services })).completed === 1) return;
  }
  throw new Error('The trigger did not complete');
}

const run = (stream: StreamName, count: number, diesAt?: number) => {
  stage.control.script = scriptOf(stream, count);
  return execute(stage.trigger(source), diesAt);
};

const deletion = (streams: readonly StreamName[]): Trigger =>
  ({
    kind: 'delete-events',
    id: 'delete',
    emitterId: source.id,
    ownerId: stage.ownerId,
    at: stage.clock.now(),
    ranges: streams.map((stream) => ({ stream, to: '999999999999999-9' })),
  }) as unknown as Trigger;

const stream = fc.constantFrom(...STREAMS);
const count = fc.nat({ max: 60 });
const diesAt = fc.option(fc.nat({ max: 20 }), { nil: undefined });
const Step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('run' as const), stream, count, diesAt }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('delete' as const),
      streams: fc.uniqueArray(stream, { minLength: 1, maxLength: 4 }),
      diesAt,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('overlap' as const), stream, count }),
  },
);
type Step = typeof Step extends fc.Arbitrary<infer Value> ? Value : never;

/** A run of the queue, and a synchronous run that ends while it commits. */
async function overlap(stream: StreamName, count: number): Promise<void> {
  stage.control.script = scriptOf(stream, count);
  await Promise.all([execute(stage.trigger(source)), runSynchronously(stage.services)]);
}

/** The later of two writers reads the events that it trims once the other has stored its own. */
function trimInTurn(): void {
  const { items, store } = stage.services.events;
  let release: () => void = () => undefined;
  const isStored = new Promise<void>((resolve) => (release = resolve));
  let readers = 0;
  stage.services.events.items = async (...request) => {
    readers += 1;
    if (readers > 1) await isStored;
    return items(...request);
  };
  stage.services.events.store = async (...request) => {
    await store(...request);
    release();
  };
}

const runSynchronously = (services: typeof stage.services) =>
  executeSynchronously(stage.synchronous(services), stage.trigger(source), { json: '{}' } as never);

async function play(step: Step): Promise<void> {
  if (step.kind === 'run') return run(step.stream, step.count, step.diesAt);
  if (step.kind === 'delete') return execute(deletion(step.streams), step.diesAt);
  return overlap(step.stream, step.count);
}

test('after any runs, trims, deletions and crashes the counted bytes are those that are stored, 10 s after a concurrent write at the latest', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(Step, { minLength: 3, maxLength: 12 }), async (steps) => {
      source = await stage.source();
      let hasOverlapped = false;
      const before = await counted();
      for (const step of steps) {
        await play(step);
        hasOverlapped ||= step.kind === 'overlap';
        if (!hasOverlapped) expect((await counted()) - before).toBe(await stored());
      }
      stage.clock.advance(FREED_WITHIN_MS);
      await run(DEFAULT_STREAM, 1);
      expect((await counted()) - before).toBe(await stored());
    }),
    { numRuns: 20, seed: 47, endOnFailure: true },
  );
}, 60_000);

test('a deletion that died after it removed events frees their bytes when it is repeated', async () => {
  await run(DEFAULT_STREAM, 50);
  for (const index of [2, 3, 4]) {
    await run(DEFAULT_STREAM, 10);
    await execute(deletion([DEFAULT_STREAM]), index * 2 + 1);
    expect(await counted()).toBe(0);
  }
});

test('events of a synchronous run whose process died are counted by the first write of the next day', async () => {
  await run(DEFAULT_STREAM, 3);
  stage.control.script = scriptOf(DEFAULT_STREAM, 20);
  const { services } = dyingProcess(stage.services, {
    diesAt: ({ name }) => (name === 'emitters.save' ? 'before' : undefined),
  });
  await expect(runSynchronously(services)).rejects.toThrow();
  expect(await counted()).toBeLessThan(await stored());
  stage.clock.advance(DAY_MS);
  await run(DEFAULT_STREAM, 1);
  expect(await counted()).toBe(await stored());
});

test('the first write corrects a sum that an earlier release left', async () => {
  await run(DEFAULT_STREAM, 3);
  const { state } = await stage.services.emitters.load(source.id);
  await stage.services.emitters.save({
    emitterId: source.id,
    state: { ...state, bytes: 5_000_000, recountAt: 0 },
  });
  await run(DEFAULT_STREAM, 1);
  expect(await counted()).toBe(await stored());
});

test('two overlapping writers that both trim count too many bytes for 5 s at most', async () => {
  for (let n = 0; n < 3; n += 1) await run(DEFAULT_STREAM, 48);
  trimInTurn();
  await overlap(DEFAULT_STREAM, 20);
  expect(await counted()).toBeGreaterThan(await stored());
  stage.clock.advance(5_000);
  await run(DEFAULT_STREAM, 1);
  expect(await counted()).toBe(await stored());
});

test('writes that overlap recount every 5 s at most', async () => {
  await run(DEFAULT_STREAM, 3);
  let recounts = 0;
  const { refs } = stage.services.events;
  stage.services.events.refs = (emitterId, stream) => {
    if (stream === DEFAULT_STREAM) recounts += 1;
    return refs(emitterId, stream);
  };
  for (let second = 0; second < 20; second += 1) {
    await overlap(DEFAULT_STREAM, 3);
    stage.clock.advance(1_000);
  }
  stage.services.events.refs = refs;
  expect(recounts).toBeGreaterThan(0);
  expect(recounts).toBeLessThanOrEqual(8);
});
