import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseTrigger } from '../../../../../shared/domain/run/runs-message.ts';
import { VERSION } from '../../../../../shared/domain/version.ts';
import { emits, ended, threw } from '../../../../support/world/script.ts';
import { type World, openWorld } from '../../../../support/world/world.ts';

let stage: World;
beforeEach(async () => {
  stage = await openWorld();
  await stage.user();
});
afterEach(() => stage.close());

const latest = async (id: Parameters<World['services']['events']['latest']>[0], stream = 'default') =>
  stage.services.events.latest(id, stream);
const shown = async (id: Parameters<typeof latest>[0], stream?: string) =>
  (await latest(id, stream)).map(({ json }) => JSON.parse(json) as Record<string, unknown>);

describe('a trigger', () => {
  test('stores the events, sends the deliveries and saves the state', async () => {
    const source = await stage.source();
    stage.control.script = (job) => [emits(job.kind === 'run' ? job.event : '{}'), ended()];
    const result = await stage.execute(
      stage.received([stage.trigger(source, { n: 1 }), stage.trigger(source, { n: 2 })]),
    );
    expect(result).toEqual({ completed: 2 });
    expect(await shown(source.id)).toEqual([{ n: 2 }, { n: 1 }]);
    expect(stage.deliveries.map(({ payload }) => payload)).toEqual([{ json: '{"n":1}' }, { json: '{"n":2}' }]);
    expect((await stage.services.emitters.load(source.id)).state.version).toBe(1);
  });

  test("costs one runner invocation together with the source's later triggers", async () => {
    const source = await stage.source();
    await stage.execute(stage.received(Array.from({ length: 10 }, () => stage.trigger(source))));
    expect(stage.requests).toHaveLength(1);
    expect(stage.requests[0]?.jobs).toHaveLength(10);
  });

  test('that comes again after its state was saved is only acknowledged', async () => {
    const source = await stage.source();
    stage.control.script = () => [emits('{"n":1}'), ended()];
    const received = stage.received([stage.trigger(source)]);
    await stage.execute(received);
    expect(await stage.execute(received)).toEqual({ completed: 1 });
    expect(stage.requests).toHaveLength(1);
    expect(await latest(source.id)).toHaveLength(1);
  });

  test.each(['store', 'sendDeliveries', 'save'] as const)(
    'after a failed %s stores the same events again under the same ids',
    async (step) => {
      const source = await stage.source({ dedupe: 'unique' });
      stage.control.script = () => [emits('{"n":1}', { id: 'a' }), emits('{"n":2}', { id: 'b' }), ended()];
      const received = stage.received([stage.trigger(source)]);
      const fail = () => Promise.reject(new Error('the power went'));
      const { events, emitters } = stage.services;
      const broken = {
        ...stage.services,
        ...(step === 'store' ? { events: { ...events, store: fail } } : {}),
        ...(step === 'sendDeliveries' ? { sendDeliveries: fail } : {}),
        ...(step === 'save' ? { emitters: { ...emitters, save: fail } } : {}),
      };
      const failed = await stage.execute(received, { with: broken });
      expect(failed.completed).toBe(0);
      expect(failed.error).toBeInstanceOf(Error);
      const before = await latest(source.id);
      const sentBefore = stage.deliveries.splice(0);

      stage.clock.advance(59_000);
      expect(await stage.execute(received)).toEqual({ completed: 1 });
      const after = await latest(source.id);
      expect(after).toHaveLength(2);
      if (step !== 'store')
        expect(after.map(({ id, emitId }) => [id, emitId])).toEqual(before.map(({ id, emitId }) => [id, emitId]));
      const indexedAt = stage.clock.now();
      if (step === 'save') expect(stage.deliveries).toEqual(sentBefore.map((message) => ({ ...message, indexedAt })));
      else expect(stage.deliveries).toHaveLength(2);
    },
  );

  test('accepted before its source was deleted still runs', async () => {
    const source = await stage.source();
    await stage.sources.tombstone(source.id);
    expect(await stage.execute(stage.received([stage.trigger(source)]))).toEqual({ completed: 1 });
    expect(stage.requests).toHaveLength(1);
    expect(stage.logged).toEqual([]);
  });

  test('accepted after its source was deleted is dropped with a log line', async () => {
    const source = await stage.source();
    await stage.sources.tombstone(source.id);
    await stage.sources.remove(source.id);
    expect(await stage.execute(stage.received([stage.trigger(source)]))).toEqual({ completed: 1 });
    expect(stage.requests).toHaveLength(0);
    expect(stage.logged).toEqual(['trigger.dropped']);
    expect((await stage.services.emitters.load(source.id)).state.version).toBe(0);
  });

  test('waits when the runner takes no more, and nothing of it is kept', async () => {
    const source = await stage.source();
    stage.control.isBusy = true;
    const result = await stage.execute(stage.received([stage.trigger(source)]));
    expect(result.completed).toBe(0);
    expect(result.error).toMatchObject({ kind: 'unavailable' });
  });

  test('keeps the emits of a run that was lost half-way, emits an error, and returns the later triggers to the queue', async () => {
    const source = await stage.source();
    const received = stage.received([stage.trigger(source), stage.trigger(source), stage.trigger(source)]);
    stage.control.script = (job) => (job.id === received[1]?.trigger.id ? 'lost' : [emits('{"ok":true}'), ended()]);
    expect(await stage.execute(received.slice(0, 2))).toEqual({ completed: 2 });
    expect(await shown(source.id)).toEqual([{ raw_event: 'before it was lost' }, { ok: true }]);
    expect(await shown(source.id, '$errors')).toMatchObject([{ error: { code: 'crashed' } }]);
  });

  test('without enough time left comes again immediately, any number of times', async () => {
    const source = await stage.source();
    stage.control.script = () => 'unstarted';
    for (const receiveCount of [1, 4, 19])
      expect(await stage.execute(stage.received([stage.trigger(source)], { receiveCount }))).toEqual({
        completed: 0,
      });
    expect(await shown(source.id, '$errors')).toEqual([]);
  });

  test('that the runner could not begin comes again after a pause, however often, and what stood before it is done', async () => {
    const source = await stage.source();
    const [first, second] = stage.received([stage.trigger(source), stage.trigger(source)]);
    if (!first || !second) throw new Error('unreachable');
    stage.control.script = (job) => (job.id === second.trigger.id ? 'unready' : [emits('{"ok":true}'), ended()]);
    const result = await stage.execute([first, second]);
    expect(result).toMatchObject({ completed: 1, error: { kind: 'unavailable' } });
    expect(String(result.error)).toMatch(/no process could be had/);
    expect(await stage.execute([{ ...second, receiveCount: 19 }])).toMatchObject({
      completed: 0,
      error: { kind: 'unavailable' },
    });
    expect(await shown(source.id)).toEqual([{ ok: true }]);
    expect(await shown(source.id, '$errors')).toEqual([]);
  });

  test('that the runner was lost with, silently, comes again after a pause, and counts as crashed when that happens each time', async () => {
    const source = await stage.source();
    stage.control.script = () => 'silent';
    const [first] = stage.received([stage.trigger(source)]);
    if (!first) throw new Error('unreachable');
    for (const receiveCount of [1, 2, 3])
      expect(await stage.execute([{ ...first, receiveCount }])).toMatchObject({
        completed: 0,
        error: { kind: 'unavailable' },
      });
    expect(await shown(source.id, '$errors')).toEqual([]);
    expect(await stage.execute([{ ...first, receiveCount: 4 }])).toEqual({ completed: 1 });
    expect(await shown(source.id, '$errors')).toMatchObject([{ error: { code: 'crashed' } }]);
  });

  test('behind one that the runner was lost with is not blamed for it', async () => {
    const source = await stage.source();
    const received = stage.received([stage.trigger(source), stage.trigger(source)], { receiveCount: 4 });
    let losses = 0;
    stage.control.script = () => ((losses += 1) === 1 ? 'silent' : [emits('{"ok":true}'), ended()]);
    expect(await stage.execute(received)).toEqual({ completed: 2 });
    expect(await shown(source.id, '$errors')).toMatchObject([{ error: { code: 'crashed' } }]);
    expect(await shown(source.id)).toEqual([{ ok: true }]);
  });

  test('is not started when it could not end in time', async () => {
    const source = await stage.source({}, {});
    const received = stage.received([
      stage.trigger(source),
      { kind: 'delete-events', id: 'd', emitterId: source.id, ownerId: stage.ownerId, at: 0, ranges: [] },
      stage.trigger(source),
    ]);
    const result = await stage.execute(received, { mayStart: () => false });
    expect(result).toEqual({ completed: 1 });
  });

  test('larger than a message is read from where it rests', async () => {
    const source = await stage.source();
    stage.objects.set('payloads/x', '{"big":1}');
    stage.control.script = (job) => [emits(job.kind === 'run' ? job.event : ''), ended()];
    await stage.execute(stage.received([stage.trigger(source, {}, { payload: { key: 'payloads/x' } })]));
    expect(await shown(source.id)).toEqual([{ big: 1 }]);
  });
});

describe('event ids', () => {
  test('increase strictly, also over restarts and a clock that steps back', async () => {
    const source = await stage.source();
    stage.control.script = () => [emits('{}'), emits('{}'), ended()];
    const ids: string[] = [];
    for (const step of [0, 0, 5, -100_000, 3]) {
      const received = stage.received([stage.trigger(source)]).map((one) => ({
        ...one,
        firstReceivedAt: one.firstReceivedAt + step,
      }));
      await stage.execute(received);
    }
    ids.push(...(await latest(source.id)).map(({ id }) => id).reverse());
    expect(ids).toHaveLength(10);
    const positions = ids.map((id) => id.split('-').map(Number));
    for (const [index, [ms = 0, sequence = 0]] of positions.entries()) {
      const [lastMs = 0, lastSequence = 0] = positions[index - 1] ?? [0, -1];
      expect(ms > lastMs || (ms === lastMs && sequence > lastSequence)).toBe(true);
    }
  });

  test('are those of the first receipt, however late the run is', async () => {
    const source = await stage.source();
    stage.control.script = () => [emits('{}'), ended()];
    const received = stage.received([stage.trigger(source)]);
    const at = stage.clock.now();
    stage.clock.advance(50_000);
    await stage.execute(received);
    const [event] = await latest(source.id);
    expect(event?.id).toBe(`${at}-0`);
    expect(event?.indexedAt).toBe(at + 50_000);
  });
});

describe('a stream', () => {
  test('shows the last 100 events and stores little more, whatever was emitted', async () => {
    const source = await stage.source();
    let n = 0;
    stage.control.script = () => [...Array.from({ length: 7 }, () => emits(JSON.stringify({ n: (n += 1) }))), ended()];
    for (let batch = 0; batch < 40; batch += 1) {
      stage.clock.advance(1_000);
      await stage.execute(stage.received([stage.trigger(source)]));
      const stored = await stage.services.events.refs(source.id, 'default');
      expect(stored.length).toBeLessThanOrEqual(150 + 7);
    }
    const events = await shown(source.id);
    expect(events).toHaveLength(100);
    expect(events[0]).toEqual({ n: 280 });
    expect(events[99]).toEqual({ n: 181 });
    expect(stage.deliveries).toHaveLength(280);
  });

  test('of one run of a thousand emits shows the last 100, and all are delivered', async () => {
    const source = await stage.source();
    stage.control.script = () => [...Array.from({ length: 1_000 }, (_, n) => emits(JSON.stringify({ n }))), ended()];
    await stage.execute(stage.received([stage.trigger(source)]));
    expect(await stage.services.events.refs(source.id, 'default')).toHaveLength(100);
    expect((await shown(source.id))[0]).toEqual({ n: 999 });
    expect(stage.deliveries).toHaveLength(1_000);
    // A live stream tells its gap by this mark.
    const marks = (await latest(source.id)).map(({ leftOut }) => leftOut);
    expect(marks.reverse()).toEqual([900, ...Array.from({ length: 99 }, () => undefined)]);
  });

  test('keeps large events whole and truncates their summaries', async () => {
    const source = await stage.source();
    const sizes = [900, 5_000, 300_000];
    stage.control.script = () => [...sizes.map((size) => emits(JSON.stringify({ text: 'x'.repeat(size) }))), ended()];
    await stage.execute(stage.received([stage.trigger(source)]));
    const stored = (await latest(source.id)).reverse();
    expect(stored.map(({ truncated }) => truncated)).toEqual([false, true, true]);
    for (const [index, event] of stored.entries()) {
      expect(Buffer.byteLength(event.json)).toBeLessThanOrEqual(1_024);
      const whole = JSON.parse(await stage.services.events.whole(source.id, event)) as { text: string };
      expect(whole.text).toHaveLength(sizes[index] ?? 0);
    }
    await stage.services.events.remove(source.id, 'default', () => true);
    // The payload is of the event's delivery.
    expect([...stage.objects.keys()].filter((key) => !key.startsWith('payloads/'))).toEqual([]);
  });

  test("beginning with $ is the service's own", async () => {
    const source = await stage.source();
    stage.control.script = () => [emits('{}', { name: '$errors' }), emits('{"ok":1}'), ended()];
    await stage.execute(stage.received([stage.trigger(source)]));
    expect(await shown(source.id)).toEqual([{ ok: 1 }]);
    expect(await shown(source.id, '$errors')).toMatchObject([{ error: { code: 'reserved_stream' } }]);
  });

  test('is known by name as soon as it was written', async () => {
    const source = await stage.source();
    stage.control.script = () => [emits('{}', { name: 'new things' }), ended()];
    await stage.execute(stage.received([stage.trigger(source)]));
    expect(await stage.services.events.streams(source.id)).toContain('new things');
  });
});

describe('the $errors and $logs events of a run', () => {
  test('an error has the eight fields of its context, the source, and the event as it came', async () => {
    const source = await stage.source();
    stage.control.script = () => [threw('ERR_X', 'it broke')];
    const trigger = stage.trigger(source, [1, 2]);
    await stage.execute(stage.received([trigger]));
    const [error] = await shown(source.id, '$errors');
    expect(error).toEqual({
      original_event: { raw_event: [1, 2] },
      original_context: {
        id: trigger.id,
        ts: new Date(trigger.at).toISOString(),
        workflow_id: '',
        deployment_id: '',
        source_type: 'http',
        verified: false,
        owner_id: stage.ownerId,
        platform_version: VERSION,
        source_id: source.id,
      },
      error: {
        code: 'ERR_X',
        cellId: '',
        ts: expect.any(String) as string,
        stack: 'Error: it broke',
        message: 'it broke',
      },
    });
  });

  test('a run that throws keeps what it emitted and its db, and is not run again', async () => {
    const source = await stage.source();
    stage.control.script = () => [emits('{"n":1}'), { k: 'db', json: '{"seen":1}' } as never, threw('Error')];
    expect(await stage.execute(stage.received([stage.trigger(source)]))).toEqual({ completed: 1 });
    expect(await shown(source.id)).toEqual([{ n: 1 }]);
    expect((await stage.services.emitters.load(source.id)).db).toBe('{"seen":1}');
  });

  test('one $logs event per run that wrote something, with the last 100 lines of at most 4 KB', async () => {
    const source = await stage.source();
    stage.control.script = (job) =>
      job.id === quiet.id
        ? [ended()]
        : [
            ...Array.from(
              { length: 130 },
              (_, n) => ({ k: 'log', level: 'console.log', ts: n, msg: `line ${n}` }) as never,
            ),
            ended(),
          ];
    const quiet = stage.trigger(source);
    const loud = stage.trigger(source);
    await stage.execute(stage.received([quiet, loud]));
    const [log, ...others] = await latest(source.id, '$logs');
    if (!log) throw new Error('There is no log');
    expect(others).toEqual([]);
    const whole = await stage.services.events.whole(source.id, log);
    const { run_id: runId, lines } = JSON.parse(whole) as {
      run_id: string;
      lines: { k: string; msg: string }[];
    };
    expect(runId).toBe(loud.id);
    expect(lines).toHaveLength(100);
    expect(lines[99]).toEqual({ k: 'console.log', ts: 129, msg: 'line 129' });
  });

  test('a thrown error is a line of the log too', async () => {
    const source = await stage.source();
    stage.control.script = () => [threw('Error', 'it broke')];
    await stage.execute(stage.received([stage.trigger(source)]));
    expect(await shown(source.id, '$logs')).toMatchObject([{ lines: [{ k: 'error', err: { message: 'it broke' } }] }]);
  });

  test('an emit without id under dedupe is emitted, with a warning in $logs', async () => {
    const source = await stage.source({ dedupe: 'unique' });
    stage.control.script = () => [emits('{"n":1}'), emits('{"n":1}'), ended()];
    await stage.execute(stage.received([stage.trigger(source)]));
    expect(await shown(source.id)).toHaveLength(2);
    expect(await shown(source.id, '$logs')).toMatchObject([{ lines: [{ k: 'console.warn' }] }]);
  });

  test('errors and logs are sent on like other events', async () => {
    const source = await stage.source();
    stage.control.script = () => [threw('Error')];
    await stage.execute(stage.received([stage.trigger(source)]));
    expect(stage.deliveries.map(({ stream }) => stream)).toEqual(['$errors', '$logs']);
  });

  test('a chain of sources is cut after 16 hops', async () => {
    const source = await stage.source();
    await stage.execute(
      stage.received([stage.trigger(source, {}, { hops: 16 }), stage.trigger(source, {}, { hops: 17 })]),
    );
    expect(stage.requests[0]?.jobs).toHaveLength(1);
    expect(await shown(source.id, '$errors')).toMatchObject([{ error: { code: 'hop_limit' } }]);
  });

  test('a chain that reaches its source a third time is cut, and its event is in $errors', async () => {
    const [source, other] = [await stage.source(), await stage.source()];
    stage.control.script = () => [emits('{"on":1}'), ended()];
    const twice = [source.id, other.id, source.id, other.id];
    await stage.execute(
      stage.received([
        stage.trigger(source, {}, { hops: 3, passed: twice.slice(0, 3) }),
        stage.trigger(source, {}, { hops: 3, passed: twice.slice(1) }),
        stage.trigger(source, { lost: false }, { hops: 4, passed: twice }),
        stage.trigger(source),
      ]),
    );
    expect(stage.requests.flatMap(({ jobs }) => jobs)).toHaveLength(2);
    expect(await shown(source.id, '$errors')).toMatchObject([
      { error: { code: 'hop_limit' }, original_event: { lost: false } },
      { error: { code: 'hop_limit' }, original_event: {} },
    ]);
    expect(stage.deliveries.map(({ stream, passed }) => [stream, passed?.length ?? 0])).toEqual([
      ['$errors', 3],
      ['default', 3],
      ['$errors', 4],
      ['default', 0],
    ]);
  });
});

describe('dedupe', () => {
  test('holds across runs, batches and restarts', async () => {
    const source = await stage.source({ dedupe: 'unique' });
    stage.control.script = () => [
      emits('{}', { id: 1 }),
      emits('{}', { id: '1' }),
      emits('{}', { id: 'x'.repeat(65) }),
      ended(),
    ];
    await stage.execute(stage.received([stage.trigger(source), stage.trigger(source)]));
    await stage.execute(stage.received([stage.trigger(source)]));
    expect(await latest(source.id)).toHaveLength(2);
  });

  test('forgets the oldest of 101 ids', async () => {
    const source = await stage.source({ dedupe: 'unique' });
    const ids = Array.from({ length: 101 }, (_, n) => `id-${n}`);
    stage.control.script = () => [...ids.map((id) => emits('{}', { id })), ended()];
    await stage.execute(stage.received([stage.trigger(source)]));
    stage.deliveries.length = 0;
    stage.control.script = () => [emits('{}', { id: 'id-0' }), emits('{}', { id: 'id-100' }), ended()];
    await stage.execute(stage.received([stage.trigger(source)]));
    expect(stage.deliveries).toHaveLength(1);
  });
});

describe('a timer', () => {
  const tick = (source: { id: string }, generation: number, scheduledAt: string) =>
    parseTrigger(
      JSON.stringify({ kind: 'tick', sourceId: source.id, ownerId: stage.ownerId, generation, scheduledAt }),
    );

  test('hands its moment in seconds and its interval to run', async () => {
    const source = await stage.source({ timer: { intervalSeconds: 900 } });
    stage.control.script = (job) => [emits(job.kind === 'run' ? job.event : ''), ended()];
    await stage.execute(stage.received([tick(source, 1, new Date(stage.clock.now()).toISOString())]));
    expect(await shown(source.id)).toEqual([{ timestamp: stage.clock.now() / 1000, interval_seconds: 900 }]);
  });

  test('of an older generation is void', async () => {
    const source = await stage.source({ timer: { intervalSeconds: 900 } }, { generation: 3 });
    expect(await stage.execute(stage.received([tick(source, 2, new Date().toISOString())]))).toEqual({
      completed: 1,
    });
    expect(stage.requests).toHaveLength(0);
  });

  test('that is late makes up for its ticks with one', async () => {
    const source = await stage.source({ timer: { intervalSeconds: 60 } });
    const start = stage.clock.now();
    const ticks = [1, 2, 3].map((minute) => tick(source, 1, new Date(start + minute * 60_000).toISOString()));
    stage.clock.advance(10 * 60_000);
    await stage.execute(stage.received(ticks));
    expect(stage.requests[0]?.jobs).toHaveLength(1);
  });

  test('is skipped over quota, with one event a day on $errors', async () => {
    const free = await openWorld();
    try {
      await free.user('free');
      const source = await free.source({ timer: { intervalSeconds: 60 } });
      await free.services.usages.add(free.ownerId, { invocations: 1_000, computeMs: 1 }, free.clock.now());
      for (let n = 1; n <= 3; n += 1) {
        const scheduledAt = new Date(free.clock.now()).toISOString();
        const message = {
          kind: 'tick',
          sourceId: source.id,
          ownerId: free.ownerId,
          generation: 1,
          scheduledAt,
        };
        await free.execute(free.received([parseTrigger(JSON.stringify(message))]));
        free.clock.advance(60_000);
      }
      expect(free.requests).toHaveLength(0);
      const errors = await free.services.events.latest(source.id, '$errors');
      expect(errors).toHaveLength(1);
      expect(errors[0]?.json).toContain('quota_exceeded');
      // An accepted trigger still runs; from the next day all triggers run.
      await free.execute(free.received([free.trigger(source)]));
      expect(free.requests).toHaveLength(1);
    } finally {
      await free.close();
    }
  });
});

/** Metrics: one write unit for 250 runs and their 250 events. */
const METRICS = 0.01;

describe('counted, with full batches and items of at most 1,024 bytes, at 100 stored events', () => {
  const perEvent = async (
    traits: Parameters<World['source']>[0],
    { batch, bytes }: { batch: number; bytes: number },
  ) => {
    const source = await stage.source(traits);
    let n = 0;
    stage.control.script = () => [emits(JSON.stringify({ n: (n += 1), pad: 'x'.repeat(bytes) }), { id: n }), ended()];
    const round = () => {
      stage.clock.advance(10);
      return stage.execute(stage.received(Array.from({ length: batch }, () => stage.trigger(source))));
    };
    const warm = Math.ceil(200 / batch);
    for (let i = 0; i < warm; i += 1) await round();
    stage.units.read = stage.units.write = 0;
    // Streams are trimmed every 60 events in full batches and every 51 in batches of one: whole periods.
    const rounds = batch === 1 ? 612 : 60;
    for (let i = 0; i < rounds; i += 1) await round();
    return { read: stage.units.read / (rounds * batch), write: stage.units.write / (rounds * batch) };
  };

  test.each([
    { name: 'full batches', traits: {}, batch: 10, bytes: 700, write: 2.3, read: 0.7 },
    { name: 'full batches of 1 KB of data', traits: {}, batch: 10, bytes: 1_000, write: 4.3, read: 1.2 },
    { name: 'batches of one', traits: {}, batch: 1, bytes: 700, write: 4.2, read: 2.2 },
    {
      name: 'full batches with dedupe',
      traits: { dedupe: 'unique' as const },
      batch: 10,
      bytes: 700,
      write: 2.4,
      read: 0.8,
    },
  ])('$name cost at most $write write units an event', async ({ traits, batch, bytes, write, read }) => {
    const units = await perEvent(traits, { batch, bytes });
    expect(units.write).toBeLessThanOrEqual(write + METRICS);
    expect(units.read).toBeLessThanOrEqual(read);
  });
});
