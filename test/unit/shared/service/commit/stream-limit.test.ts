import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ORDERED_CACHE_MS } from '../../../../../shared/domain/time-limits.ts';
import { type EmitterId, WorkflowId } from '../../../../../shared/domain/id.ts';
import { DAY_MS } from '../../../../../shared/lib/durations.ts';
import type { EmitTrigger, Trigger } from '../../../../../shared/domain/run/message.ts';
import type { Source } from '../../../../../shared/domain/source/source.ts';
import { executeSynchronously } from '../../../../../shared/service/runs/synchronous-run.ts';
import { workflowStore } from '../../../../../shared/store/emitters/workflows.ts';
import { emits, ended } from '../../../../support/world/script.ts';
import { type World, openWorld } from '../../../../support/world/world.ts';

let stage: World;
let source: Source;
beforeEach(async () => {
  stage = await openWorld();
  await stage.user();
  source = await stage.source();
});
afterEach(() => stage.close());

const named = (count: number, events: number) =>
  Array.from({ length: count }, (_, n) => ({ name: `stream ${n}`, events, since: n }));
const fill = (count: number, { events = 0, of = source.id as EmitterId } = {}) =>
  stage.services.events.addStreams(of, named(count, events));
const emitsOn = (...streams: string[]) => {
  stage.control.script = () => [...streams.map((name) => emits('{"n":1}', { name })), ended()];
};
const run = (...triggers: Trigger[]) =>
  stage.execute(stage.received(triggers.length > 0 ? triggers : [stage.trigger(source)]));
const emitted = async (...streams: string[]) => {
  emitsOn(...streams);
  expect((await run()).error).toBeUndefined();
  stage.clock.advance(1_000);
};
const stored = async (stream: string) => (await stage.services.events.latest(source.id, stream)).length;
const errors = async (id: EmitterId = source.id) =>
  (await stage.services.events.latest(id, '$errors')).map(
    ({ json }) => JSON.parse(json) as { original_event: unknown; error: { code: string; message: string } },
  );
const names = async (id: EmitterId = source.id) => (await stage.services.events.streams(id)).slice(4);
const bytes = async () => (await stage.services.emitters.load(source.id)).state.bytes;

describe('an emit on a new stream of a source with 1,000 streams', () => {
  test('takes the place of an empty one, and nothing is lost', async () => {
    await fill(1_000);
    await emitted('new', 'stream 7');
    expect([await stored('new'), await stored('stream 7')]).toEqual([1, 1]);
    expect(await names()).toHaveLength(1_000);
    expect(await names()).not.toContain('stream 0');
    expect(await errors()).toEqual([]);
  });

  test('takes the place of the one with the fewest events, whose events go, and one $errors event a day names it', async () => {
    await emitted('few', 'many', 'many', 'many');
    const before = await bytes();
    await fill(998, { events: 50 });
    await emitted('new');
    expect([await stored('few'), await stored('many'), await stored('new')]).toEqual([0, 3, 1]);
    expect(await names()).toHaveLength(1_000);
    expect(await errors()).toMatchObject([{ error: { code: 'too_many_streams' } }]);
    expect((await errors())[0]?.error.message).toContain('So stream few, which had the fewest events, went');
    await emitted('newer');
    expect([await stored('new'), await stored('newer')]).toEqual([0, 1]);
    // The bytes of streams that went are free: a report came, and one event is stored for another. No recount is due.
    const [report] = await stage.services.events.refs(source.id, '$errors');
    expect([(await errors()).length, await bytes()]).toEqual([1, before + (report?.bytes ?? 0)]);
    stage.clock.advance(DAY_MS);
    await emitted('newest');
    expect((await errors())[0]?.error.message).toContain('So stream newer,');
  });

  test('delivers every event, also those that another one of the run pushes out', async () => {
    await fill(1_000, { events: 3 });
    await emitted('a', 'b', 'a', 'c', 'c');
    expect(stage.deliveries.map(({ stream }) => stream)).toEqual(['a', 'b', 'a', 'c', 'c', '$errors']);
    expect([await stored('a'), await stored('b'), await stored('c')]).toEqual([0, 0, 2]);
    expect(await names()).toHaveLength(1_000);
  });

  test('finds a place when all of its streams got events in this run', async () => {
    await fill(998, { events: 9 });
    await emitted('one', 'two');
    await emitted('three');
    expect([await stored('one'), await stored('two'), await stored('three')]).toEqual([0, 1, 1]);
  });

  test('is decided alike when the run is committed twice', async () => {
    await fill(999);
    await emitted('full');
    await stage.services.events.addStreams(source.id, named(999, 5));
    emitsOn('new', 'full');
    const received = stage.received([stage.trigger(source)]);
    const { emitters } = stage.services;
    const broken = {
      ...stage.services,
      emitters: { ...emitters, save: () => Promise.reject(new Error('down')) },
    };
    stage.deliveries.splice(0);
    expect((await stage.execute(received, { with: broken })).completed).toBe(0);
    const before = stage.deliveries.splice(0);
    expect(await stage.execute(received)).toEqual({ completed: 1 });
    expect(stage.deliveries.map(({ eventId, stream }) => [eventId, stream])).toEqual(
      before.slice(0, stage.deliveries.length).map(({ eventId, stream }) => [eventId, stream]),
    );
    expect(await names()).toHaveLength(1_000);
    expect([await stored('new'), await stored('full')]).toEqual([1, 2]);
  });

  test('of a synchronous run or a delayed emit that is due finds a place too', async () => {
    await fill(1_000, { events: 4 });
    emitsOn('beyond');
    const response = await executeSynchronously(stage.synchronous(), stage.trigger(source), { json: '{}' });
    expect(response.status).toBe(200);
    const due: EmitTrigger = {
      kind: 'emit',
      id: 'held-1',
      emitterId: source.id,
      ownerId: stage.ownerId,
      at: stage.clock.now(),
      stream: 'due',
      payload: { json: '{"late":true}' },
      hops: 0,
    };
    expect(await run(due)).toEqual({ completed: 1 });
    expect([await stored('beyond'), await stored('due')]).toEqual([0, 1]);
    expect(await names()).toHaveLength(1_000);
  });
});

describe('5,000 names that a stranger invents', () => {
  test('push out each other, and neither default, $errors, $logs nor a stream with more events', async () => {
    stage.control.script = () => [
      emits('1'),
      ...['orders', 'orders', 'refunds', 'refunds'].map((name) => emits('{}', { name })),
      { k: 'log', level: 'console.log', ts: 1, msg: 'said' } as never,
      ended(),
    ];
    await run();
    await fill(988, { events: 0 });
    for (const from of [0, 4_900])
      await emitted(...Array.from({ length: from === 0 ? 4_900 : 100 }, (_, at) => `invented ${from + at}`));
    expect(await names()).toHaveLength(1_000);
    expect([await stored('default'), await stored('orders'), await stored('refunds')]).toEqual([1, 2, 2]);
    expect(await stored('$logs')).toBe(1);
    expect(await stored('$errors')).toBe(1);
    expect(await stored('invented 4999')).toBe(1);
    expect(await stored('invented 0')).toBe(0);
  });
});

describe('the names of streams', () => {
  test('cost no read once they have a counter in the state', async () => {
    await emitted('things');
    const costOf = async () => {
      // Each run reads anew whether its owner has an ordered webhook.
      stage.clock.advance(ORDERED_CACHE_MS);
      const before = stage.units.read;
      await run();
      return stage.units.read - before;
    };
    const again = await costOf();
    emitsOn('');
    expect(await costOf()).toBe(again);
  });

  test('count the events of a thirteenth stream, and cost no write when it has all that a stream keeps', async () => {
    await emitted(...Array.from({ length: 12 }, (_, n) => `counted ${n}`));
    await emitted('thirteenth');
    const known = async () =>
      (await stage.services.events.customStreams(source.id)).find(({ name }) => name === 'thirteenth');
    expect(await known()).toMatchObject({ events: 1 });
    await emitted('thirteenth', 'thirteenth');
    expect(await known()).toMatchObject({ events: 3 });
    await emitted(...Array.from({ length: 120 }, () => 'thirteenth'));
    expect(await known()).toMatchObject({ events: 100 });
    const before = stage.units.write;
    await emitted('thirteenth');
    // The event, the state and the usage.
    expect(stage.units.write - before).toBeLessThanOrEqual(3);
  });

  test('are free again when DELETE of their events has removed all, also in a source with few streams', async () => {
    await emitted(...Array.from({ length: 14 }, (_, n) => `s${n}`));
    const deletion = async (...streams: string[]) => {
      const ranges = await Promise.all(
        streams.map(async (stream) => ({
          stream,
          to: (await stage.services.events.latest(source.id, stream))[0]?.id ?? expect.fail(stream),
        })),
      );
      const { id: emitterId } = source;
      const common = { id: `delete-${streams.join('-')}`, emitterId, ownerId: stage.ownerId, at: 0 };
      expect(await run({ kind: 'delete-events', ...common, ranges })).toEqual({ completed: 1 });
    };
    await deletion('s3', 's13');
    expect(await names()).toEqual(expect.not.arrayContaining(['s3', 's13']));
    expect(await names()).toHaveLength(12);
    await emitted('s3', 's13', 'new');
    expect([await stored('s3'), await stored('s13'), await stored('new')]).toEqual([1, 1, 1]);
    expect(await names()).toHaveLength(15);
    // Every stream is found again: none lost its name.
    const found = await Promise.all((await names()).map((name) => stored(name)));
    expect(found.every((count) => count === 1)).toBe(true);
  });

  test('of streams that went and came back are counted right', async () => {
    await emitted(...Array.from({ length: 12 }, (_, n) => `s${n}`));
    await emitted('more', 'more');
    const { id: emitterId } = source;
    const [newest] = await stage.services.events.latest(source.id, 's0');
    const ranges = [{ stream: 's0', to: newest?.id ?? expect.fail('no event') }];
    await run({ kind: 'delete-events', id: 'd', emitterId, ownerId: stage.ownerId, at: 0, ranges });
    // It takes the counter that s0 had.
    await emitted('more');
    const { counts } = (await stage.services.emitters.load(source.id)).state;
    expect(counts).toMatchObject({ more: 3 });
    expect(Object.keys(counts)).toHaveLength(12);
    expect(counts).not.toHaveProperty('s0');
  });
});

test('a stream that one run uses while another one removes it keeps its name', async () => {
  await fill(999, { events: 9 });
  await emitted('weak');
  const { emitters } = stage.services;
  // The synchronous run has stored its event on the stream, and not saved, when another run takes the place of the
  // stream.
  let isOther = false;
  const slow = {
    ...stage.services,
    emitters: {
      ...emitters,
      save: async (save: Parameters<typeof emitters.save>[0]) => {
        if (!isOther) {
          isOther = true;
          await emitted('strong', 'strong');
        }
        return emitters.save(save);
      },
    },
  };
  emitsOn('weak');
  await executeSynchronously(stage.synchronous(slow), stage.trigger(source), { json: '{}' });
  expect(await stored('weak')).toBeLessThanOrEqual(2);
  expect(await names()).toContain('weak');
});

test('a counted stream whose name a crash lost gets it back with the next new stream', async () => {
  await emitted('a', 'b');
  await stage.services.events.forgetStreams(source.id, ['a']);
  await emitted('c');
  expect((await names()).sort()).toEqual(['a', 'b', 'c']);
});

test('the streams of a workflow are limited too', async () => {
  const id = WorkflowId.parse('p_1');
  await workflowStore(stage.table).create({
    id,
    ownerId: stage.ownerId,
    name: 'w',
    target: 'https://w.example',
    credentialHash: '',
    secret: '',
    createdAt: 0,
  });
  await fill(1_000, { of: id, events: 2 });
  const trigger: EmitTrigger = {
    kind: 'emit',
    id: 'emits-1',
    emitterId: id,
    ownerId: stage.ownerId,
    at: stage.clock.now(),
    stream: 'beyond',
    payload: { json: '{"n":1}' },
    hops: 0,
  };
  expect(await run(trigger)).toEqual({ completed: 1 });
  expect(await names(id)).toHaveLength(1_000);
  expect(await names(id)).toContain('beyond');
  expect(await errors(id)).toMatchObject([
    {
      original_event: { n: 1 },
      original_context: { source_type: 'workflow' },
      error: { code: 'too_many_streams' },
    },
  ]);
});
