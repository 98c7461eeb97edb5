import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WorkflowId } from '../../../../../shared/domain/id.ts';
import type { EmitTrigger } from '../../../../../shared/domain/run/message.ts';
import type { Source } from '../../../../../shared/domain/source/source.ts';
import { executeSynchronously } from '../../../../../shared/service/runs/synchronous-run.ts';
import { workflowStore } from '../../../../../shared/store/workflows.ts';
import { emits, ended, type Harness, harness } from '../../../../support/runs-harness.ts';

let stage: Harness;
let source: Source;
beforeEach(async () => {
  stage = await harness();
  await stage.user();
  source = await stage.source();
});
afterEach(() => stage.close());

const fill = (count: number) =>
  stage.services.events.addStreams(
    source.id,
    Array.from({ length: count }, (_, n) => `stream ${n}`),
  );
const emitsOn = (...streams: string[]) => {
  stage.control.script = () => [...streams.map((name) => emits('{"n":1}', { name })), ended()];
};
const stored = async (stream: string) => (await stage.services.events.latest(source.id, stream)).length;
const errors = async () =>
  (await stage.services.events.latest(source.id, '$errors')).map(
    ({ json }) => JSON.parse(json) as { original_event: unknown; error: { code: string; message: string } },
  );
const custom = async () => (await stage.services.events.streams(source.id)).length - 4;

describe('an emit on a new stream', () => {
  test('of a source with 1,000 streams is dropped, with one $errors event per run', async () => {
    await fill(999);
    emitsOn('last', 'beyond', 'stream 7', 'beyond', 'further', 'last');
    expect(await stage.execute(stage.received([stage.trigger(source, { of: 'run' })]))).toEqual({
      completed: 1,
    });
    expect([await stored('last'), await stored('stream 7'), await stored('beyond')]).toEqual([2, 1, 0]);
    expect(stage.deliveries.map(({ stream }) => stream)).toEqual(['last', 'stream 7', 'last', '$errors']);
    expect(await errors()).toMatchObject([
      { original_event: { of: 'run' }, error: { code: 'too_many_streams' } },
    ]);
    expect((await errors())[0]?.error.message).toContain(
      'Dropped events of this run: 3, the first one for stream beyond.',
    );
    expect(await custom()).toBe(1_000);
  });

  test('is decided alike when the run is committed twice', async () => {
    await fill(999);
    emitsOn('beyond', 'last', 'beyond');
    const received = stage.received([stage.trigger(source)]);
    const { emitters } = stage.services;
    const broken = {
      ...stage.services,
      emitters: { ...emitters, save: () => Promise.reject(new Error('down')) },
    };
    expect((await stage.execute(received, { with: broken })).completed).toBe(0);
    const before = stage.deliveries.splice(0);
    expect(await stage.execute(received)).toEqual({ completed: 1 });
    expect(stage.deliveries).toEqual(before);
    expect(await custom()).toBe(1_000);
  });

  test('of a synchronous run or a delayed emit that is due is dropped too', async () => {
    await fill(1_000);
    emitsOn('beyond');
    const response = await executeSynchronously(stage.synchronous(), stage.trigger(source), { json: '{}' });
    expect(response.status).toBe(200);
    const due: EmitTrigger = {
      kind: 'emit',
      id: 'held-1',
      emitterId: source.id,
      ownerId: stage.ownerId,
      at: stage.clock.now(),
      stream: 'beyond',
      payload: { json: '{"late":true}' },
      hops: 0,
    };
    expect(await stage.execute(stage.received([due]))).toEqual({ completed: 1 });
    expect(await stored('beyond')).toBe(0);
    expect((await errors()).map(({ error, original_event }) => [error.code, original_event])).toEqual([
      ['too_many_streams', {}],
      ['too_many_streams', { late: true }],
    ]);
  });

  test('costs no read once its name is in the state', async () => {
    emitsOn('things');
    await stage.execute(stage.received([stage.trigger(source)]));
    const costOf = async () => {
      const before = stage.units.read;
      await stage.execute(stage.received([stage.trigger(source)]));
      return stage.units.read - before;
    };
    const again = await costOf();
    emitsOn('');
    expect(await costOf()).toBe(again);
  });
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
  await stage.services.events.addStreams(
    id,
    Array.from({ length: 1_000 }, (_, n) => `stream ${n}`),
  );
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
  expect(await stage.execute(stage.received([trigger]))).toEqual({ completed: 1 });
  const [error] = await stage.services.events.latest(id, '$errors');
  expect(JSON.parse(error?.json ?? '{}')).toMatchObject({
    original_event: { n: 1 },
    original_context: { source_type: 'workflow' },
    error: { code: 'too_many_streams' },
  });
});
