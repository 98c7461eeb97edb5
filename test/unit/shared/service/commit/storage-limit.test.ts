import { afterEach, beforeEach, expect, test } from 'vitest';
import { randomBytes } from 'node:crypto';
import type { Component } from '../../../../../shared/domain/component/component.ts';
import { DAY_MS } from '../../../../../shared/lib/durations.ts';
import { ComponentId, newId } from '../../../../../shared/domain/id.ts';
import type { Trigger } from '../../../../../shared/domain/run/message.ts';
import type { Source } from '../../../../../shared/domain/source/source.ts';
import { FULL_RECOUNT_MS } from '../../../../../shared/service/admission/storage.ts';
import { triggerPayloadKey } from '../../../../../shared/aws/object-keys.ts';
import { releasePayload, storedPayload } from '../../../../../shared/aws/payloads.ts';
import { componentStore } from '../../../../../shared/store/emitters/components.ts';
import { emits, ended } from '../../../../support/world/script.ts';
import { type World, openWorld } from '../../../../support/world/world.ts';

const LIMIT = 4_000_000;
let stage: World;
beforeEach(async () => {
  stage = await openWorld({ storedBytes: LIMIT });
});
afterEach(() => stage.close());

const counted = async () => (await stage.stored()).total;
const refs = (source: Source, stream: string) => stage.services.events.refs(source.id, stream);
const sizeOf = async (source: Source, stream = 'default') =>
  (await refs(source, stream)).reduce((sum, { bytes }) => sum + bytes, 0);

async function runEmitting(source: Source, count: number, length: number, meta = {}): Promise<void> {
  stage.control.script = () => [
    ...Array.from({ length: count }, (_, n) => emits(JSON.stringify({ n, text: 'x'.repeat(length) }), meta)),
    ended(),
  ];
  const { completed, error } = await stage.execute(stage.received([stage.trigger(source)]));
  expect({ completed, error }).toEqual({ completed: 1, error: undefined });
}

const execute = async (source: Source, trigger: object) => {
  const whole = { emitterId: source.id, ownerId: stage.ownerId, at: stage.clock.now(), ...trigger };
  expect((await stage.execute(stage.received([whole as Trigger]))).error).toBeUndefined();
};
async function deleteEvents(source: Source): Promise<void> {
  const [newest] = await refs(source, 'default');
  await execute(source, {
    kind: 'delete-events',
    id: 'delete',
    ranges: [{ stream: 'default', to: newest?.id }],
  });
}
const errorsOf = async (source: Source): Promise<string[]> => {
  const latest = await stage.services.events.latest(source.id, '$errors');
  return latest.map(({ json }) => (JSON.parse(json) as { error: { code: string } }).error.code);
};

test.for([
  ['small ones', 100],
  ['those with a body in the table', 10_000],
] as const)('stored events count with all of their bytes while they are stored: %s', async ([, length]) => {
  const source = await stage.source();
  await runEmitting(source, 40, length);
  expect(await counted()).toBe(await sizeOf(source));
  expect(await counted()).toBeGreaterThan(40 * length);
  // 160 events were emitted; trimming left 100.
  for (let run = 0; run < 3; run += 1) await runEmitting(source, 40, length);
  expect(await refs(source, 'default')).toHaveLength(100);
  expect(await counted()).toBe(await sizeOf(source));
  await deleteEvents(source);
  expect(await counted()).toBe(0);
});

test('events of a deleted source no longer count', async () => {
  const source = await stage.source();
  await runEmitting(source, 40, 1_000);
  await stage.sources.tombstone(source.id);
  await execute(source, { kind: 'purge', id: `purge-${source.id}` });
  expect(await counted()).toBe(0);
});

test('an event above 200,000 bytes counts once more while its delivery message waits', async () => {
  const source = await stage.source();
  await runEmitting(source, 1, 300_000);
  expect(await counted()).toBeGreaterThan(600_000);
  await deleteEvents(source);
  const message = await counted();
  expect(message).toBeGreaterThan(300_000);
  expect(message).toBeLessThan(301_000);
  for (const { payload } of stage.deliveries) await releasePayload(stage.bucket, payload);
  expect(await counted()).toBe(0);
});

test.each(['http', 'api', 'source'] as const)(
  'a trigger above 200,000 bytes (%s) counts until it is done, and its object goes',
  async (cause) => {
    const source = await stage.source();
    stage.control.script = () => [ended()];
    const json = JSON.stringify({ text: 'x'.repeat(300_000) });
    const trigger = async () => {
      const waiting = stage.trigger(source, {}, { cause });
      const payload = await storedPayload(stage.bucket, { json }, triggerPayloadKey(waiting));
      return { ...waiting, payload };
    };
    const [first, second] = [await trigger(), await trigger()];
    expect((await stage.execute(stage.received([first]))).error).toBeUndefined();
    expect((await stage.stored()).byEmitter.get(source.id)).toBe(json.length);
    expect((await stage.execute(stage.received([second]))).error).toBeUndefined();
    expect(await counted()).toBe(0);
    expect([...stage.objects.keys()]).toEqual([]);
  },
);

test('a trigger that is received again after its process died releases its payload', async () => {
  const source = await stage.source();
  stage.control.script = () => [ended()];
  const waiting = stage.trigger(source);
  const json = JSON.stringify({ text: 'x'.repeat(300_000) });
  const payload = await storedPayload(stage.bucket, { json }, triggerPayloadKey(waiting));
  const received = stage.received([{ ...waiting, payload }]);
  const dies = {
    ...stage.services,
    bucket: { ...stage.bucket, delete: () => Promise.reject(new Error('died')) },
  };
  expect((await stage.execute(received, { with: dies })).completed).toBe(0);
  expect(await counted()).toBe(json.length);
  expect(await stage.execute(received)).toEqual({ completed: 1 });
  expect(stage.requests).toHaveLength(1);
  expect(await counted()).toBe(0);
});

test('code of components counts', async () => {
  const random = (bytes: number) => randomBytes(bytes);
  const id = ComponentId.parse(newId('component', stage.clock.now(), random));
  const description = { name: 'x', props: [], hasRun: true, hooks: [], hasAdditionalProps: false };
  const component = { id, ownerId: stage.ownerId, contentHash: 'c', description } as unknown as Component;
  await componentStore(stage.table).save(component, 10, 12_345);
  expect(await counted()).toBe(12_345);
});

test('ticks at the limit do not run once the day has its notice', async () => {
  const timer = { intervalSeconds: 60 } as unknown as Source['traits']['timer'];
  const source = await stage.source({ timer });
  await runEmitting(source, 50, 100_000);
  await runEmitting(source, 1, 10);
  expect(await errorsOf(source)).toEqual(['storage_full']);
  stage.requests.length = 0;
  const tick = { ...stage.trigger(source), cause: 'timer' as const, generation: source.generation };
  expect((await stage.execute(stage.received([tick]))).completed).toBe(1);
  expect(stage.requests).toEqual([]);
});

test('delayed emits count while they wait', async () => {
  const source = await stage.source();
  const deliveryTs = stage.clock.now() + DAY_MS;
  for (const length of [10, 10_000, 150_000]) await runEmitting(source, 2, length, { deliveryTs });
  expect(await counted()).toBe(await sizeOf(source, '$in'));
  expect(await counted()).toBeGreaterThan(2 * 160_010);
  const [newest] = await refs(source, '$in');
  await execute(source, {
    kind: 'delete-events',
    id: 'delete',
    ranges: [{ stream: '$in', to: newest?.id }],
  });
  expect(await counted()).toBe(0);
});

test('at the limit events are dropped and one $errors event a day says so; deleting frees, and a neighbour is not affected', async () => {
  const source = await stage.source();
  await runEmitting(source, 50, 100_000);
  const full = await counted();
  expect(full).toBeGreaterThan(LIMIT);
  stage.deliveries.length = 0;
  for (let run = 0; run < 3; run += 1) await runEmitting(source, 10, 100_000);
  expect(await refs(source, 'default')).toHaveLength(50);
  expect(await errorsOf(source)).toEqual(['storage_full']);
  expect(stage.deliveries.map(({ stream }) => stream)).toEqual(['$errors']);
  expect((await counted()) - full).toBeLessThan(2_000);
  await runEmitting(source, 5, 10, { deliveryTs: stage.clock.now() + DAY_MS });
  expect(stage.schedules.size).toBe(0);

  const neighbour = { ...(await stage.source()), ownerId: 'u_neighbour' };
  expect(await stage.services.storage.isFull(neighbour.ownerId as typeof stage.ownerId)).toBe(false);

  await deleteEvents(source);
  stage.clock.advance(FULL_RECOUNT_MS);
  await runEmitting(source, 10, 100_000);
  expect(await refs(source, 'default')).toHaveLength(10);
});

test('a commit that is repeated never makes the count too low', async () => {
  const source = await stage.source();
  await runEmitting(source, 40, 1_000);
  stage.control.script = () => [...Array.from({ length: 10 }, (_, n) => emits(`{"n":${n}}`)), ended()];
  const received = stage.received([stage.trigger(source)]);
  const dies = {
    ...stage.services,
    emitters: { ...stage.services.emitters, save: () => Promise.reject(new Error('died')) },
  };
  expect((await stage.execute(received, { with: dies })).completed).toBe(0);
  expect((await stage.execute(received)).completed).toBe(1);
  expect(await counted()).toBeGreaterThanOrEqual(await sizeOf(source));
});

test('two writers that trim the same events never make the count too low', async () => {
  const source = await stage.source();
  for (let run = 0; run < 3; run += 1) await runEmitting(source, 50, 1_000);
  const { emitters } = stage.services;
  let isFirst = true;
  const overlapped = {
    ...stage.services,
    emitters: {
      ...emitters,
      // Another run commits after this one has trimmed and before it saves.
      save: async (state: Parameters<typeof emitters.save>[0]) => {
        if (isFirst) {
          isFirst = false;
          const { state: latest } = await emitters.load(source.id);
          await emitters.save({ emitterId: source.id, state: { ...latest, bytes: latest.bytes - 50_000 } });
        }
        return emitters.save(state);
      },
    },
  };
  stage.control.script = () => [...Array.from({ length: 10 }, (_, n) => emits(`{"n":${n}}`)), ended()];
  const received = stage.received([stage.trigger(source)]);
  expect((await stage.execute(received, { with: overlapped })).completed).toBe(1);
  expect((await refs(source, 'default')).length).toBeLessThan(120);
  expect(await counted()).toBeGreaterThanOrEqual(await sizeOf(source));
});
