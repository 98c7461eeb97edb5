import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SourceId } from '../../../../../shared/domain/id.ts';
import type { RunTrigger } from '../../../../../shared/domain/run/message.ts';
import { executeSynchronously } from '../../../../../shared/service/runs/synchronous-run.ts';
import { emits, ended, threw } from '../../../../support/world/script.ts';
import { type World, openWorld } from '../../../../support/world/world.ts';

let stage: World;
beforeEach(async () => {
  stage = await openWorld();
  await stage.user();
});
afterEach(() => stage.close());

const find = (id: SourceId, trigger: Pick<RunTrigger, 'id'>) => stage.services.runRecords.find(id, trigger.id);

/** As `POST …/run` makes it. */
async function requested(source: { id: SourceId }, n = 1): Promise<RunTrigger> {
  const trigger = stage.trigger(source, {}, { id: `api-${n}`, cause: 'api' });
  await stage.services.runRecords.request(source.id, { id: trigger.id, receivedAt: trigger.at });
  return trigger;
}

/** The sort keys of the items of records and requests. */
async function recordItems(id: SourceId): Promise<string[]> {
  const { dynamo, tableName: TableName } = stage.table;
  const { Items = [] } = await dynamo.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :pk AND sk > :from',
      ExpressionAttributeValues: { ':pk': `EMITTER#${id}`, ':from': 'WORKFLOW' },
    }),
  );
  return Items.map(({ sk }) => String(sk)).filter((sk) => !sk.startsWith('stream#'));
}

describe('the record of a run', () => {
  test('has its times, and counts the events that were stored but for errors and logs', async () => {
    const source = await stage.source({ dedupe: 'unique' });
    const trigger = stage.trigger(source);
    const { at } = trigger;
    stage.control.script = () => {
      stage.clock.advance(30);
      return [
        emits('1', { id: 'a' }),
        emits('2', { id: 'a' }),
        emits('3', { id: 'b', name: 'more' }),
        { k: 'log', level: 'console.log', ts: 1, msg: 'a line' } as never,
        ended(20),
      ];
    };
    stage.clock.advance(10);
    await stage.execute(stage.received([trigger]));
    expect(await find(source.id, trigger)).toEqual({
      id: trigger.id,
      state: 'done',
      receivedAt: at,
      startedAt: at + 20,
      endedAt: at + 40,
      emitted: 2,
      error: undefined,
    });
  });

  test('of one failing run in a batch tells its error, and the others are done', async () => {
    const source = await stage.source();
    const triggers = Array.from({ length: 3 }, () => stage.trigger(source));
    stage.control.script = (job) =>
      job.id === triggers[1]?.id ? [emits('1'), threw('E_UPSTREAM', 'The upstream is down')] : [ended()];
    await stage.execute(stage.received(triggers));
    const found = await Promise.all(triggers.map((trigger) => find(source.id, trigger)));
    expect(found).toMatchObject([
      { state: 'done', emitted: 0, error: undefined },
      { state: 'failed', emitted: 1, error: { code: 'E_UPSTREAM', message: 'The upstream is down' } },
      { state: 'done', emitted: 0, error: undefined },
    ]);
  });

  test('of a run that was lost says crashed', async () => {
    const source = await stage.source();
    const trigger = stage.trigger(source);
    stage.control.script = () => 'lost';
    await stage.execute(stage.received([trigger]));
    expect(await find(source.id, trigger)).toMatchObject({
      state: 'failed',
      emitted: 1,
      startedAt: trigger.at,
      error: { code: 'crashed' },
    });
  });

  test('keeps the beginning of a long message', async () => {
    const source = await stage.source();
    const trigger = stage.trigger(source);
    stage.control.script = () => [threw('E'.repeat(500), 'm\n'.repeat(4_000))];
    await stage.execute(stage.received([trigger]));
    expect(await find(source.id, trigger)).toMatchObject({
      error: { code: 'E'.repeat(64), message: 'm\n'.repeat(100) },
    });
  });

  test('of a trigger that started no run says skipped', async () => {
    const source = await stage.source();
    const tick = stage.trigger(source, {}, { cause: 'timer', generation: 0 });
    await stage.execute(stage.received([tick]));
    expect(await find(source.id, tick)).toMatchObject({ state: 'skipped', startedAt: undefined, emitted: 0 });
  });

  test('of an event that is no longer stored says why it failed', async () => {
    const source = await stage.source();
    const trigger = stage.trigger(source, {}, { payload: { key: 'payloads/gone' } });
    await stage.execute(stage.received([trigger]));
    expect(await find(source.id, trigger)).toMatchObject({
      state: 'failed',
      startedAt: undefined,
      error: { code: 'event_expired' },
    });
  });

  test('of a source that passes events on counts the event', async () => {
    const source = await stage.source({ hasRun: false });
    const trigger = stage.trigger(source, { n: 1 });
    await stage.execute(stage.received([trigger]));
    expect(await find(source.id, trigger)).toMatchObject({ state: 'done', emitted: 1 });
  });

  test('of a trigger that comes twice in a batch tells of its run', async () => {
    const source = await stage.source();
    const trigger = stage.trigger(source);
    stage.control.script = () => [emits('1'), ended()];
    await stage.execute(stage.received([trigger, trigger]));
    expect(await find(source.id, trigger)).toMatchObject({ state: 'done', emitted: 1 });
  });

  test('stays as it is when the trigger comes again after its end', async () => {
    const source = await stage.source();
    const received = stage.received([stage.trigger(source)]);
    await stage.execute(received);
    const { runs } = (await stage.services.emitters.load(source.id)).state;
    stage.clock.advance(60_000);
    await stage.execute(received);
    expect((await stage.services.emitters.load(source.id)).state.runs).toEqual(runs);
  });

  test('of a synchronous run is there with its response', async () => {
    const source = await stage.source({ customResponse: true, httpProp: 'http' });
    const trigger = stage.trigger(source);
    stage.control.script = () => [emits('1'), ended()];
    await executeSynchronously(stage.synchronous(), trigger, { json: '{}' });
    expect(await find(source.id, trigger)).toMatchObject({ state: 'done', emitted: 1 });
  });

  test('of synchronous runs that save at the same time is kept for each of them', async () => {
    const source = await stage.source({ customResponse: true, httpProp: 'http' });
    const before = Array.from({ length: 19 }, () => stage.trigger(source));
    await stage.execute(stage.received(before));
    const triggers = Array.from({ length: 6 }, () => stage.trigger(source));
    // Each instance of the ingress has a mutex of its own.
    const { KeyedMutex } = await import('../../../../../shared/lib/keyed-mutex.ts');
    await Promise.all(
      triggers.map((trigger) =>
        executeSynchronously(stage.synchronous({ ...stage.services, mutex: new KeyedMutex() }), trigger, {
          json: '{}',
        }),
      ),
    );
    const found = await Promise.all([...before, ...triggers].map((trigger) => find(source.id, trigger)));
    expect(found.map((record) => record && 'state' in record && record.state)).toEqual(
      Array.from({ length: 25 }, () => 'done'),
    );
  });
});

describe('the records of a source', () => {
  test.each([1, 7, 10, 16])('are those of its last 100 triggers, in batches of %i', async (size) => {
    const source = await stage.source();
    const triggers: RunTrigger[] = [];
    while (triggers.length < 235) {
      const batch = Array.from({ length: size }, () => stage.trigger(source));
      triggers.push(...batch);
      await stage.execute(stage.received(batch));
    }
    const found = await Promise.all(triggers.map((trigger) => find(source.id, trigger)));
    expect(found.map((record) => record !== undefined)).toEqual(triggers.map((_, n) => n >= triggers.length - 100));
    expect(await recordItems(source.id)).toHaveLength(5);
  });

  test('survive a chunk that was written before a failed save', async () => {
    const source = await stage.source();
    const first = Array.from({ length: 20 }, () => stage.trigger(source));
    await stage.execute(stage.received(first));
    const received = stage.received([stage.trigger(source)]);
    const { emitters } = stage.services;
    const fail = () => Promise.reject(new Error('the power went'));
    await stage.execute(received, { with: { ...stage.services, emitters: { ...emitters, save: fail } } });
    const all = [...first, ...received.map(({ trigger }) => trigger)];
    expect((await Promise.all(all.map((trigger) => find(source.id, trigger)))).map(Boolean)).toEqual([
      ...first.map(() => true),
      false,
    ]);
    await stage.execute(received);
    expect((await Promise.all(all.map((trigger) => find(source.id, trigger)))).every(Boolean)).toBe(true);
  });

  test('of 400 triggers are five chunks and the newest ones: the oldest went, and the last 100 are there', async () => {
    const source = await stage.source();
    const triggers = Array.from({ length: 400 }, () => stage.trigger(source));
    for (let at = 0; at < triggers.length; at += 10) await stage.execute(stage.received(triggers.slice(at, at + 10)));
    expect((await recordItems(source.id)).sort()).toEqual(['runs#0', 'runs#1', 'runs#2', 'runs#3', 'runs#4']);
    expect(await find(source.id, triggers[0] ?? stage.trigger(source))).toBeUndefined();
    const last = await Promise.all(triggers.slice(-100).map((trigger) => find(source.id, trigger)));
    for (const record of last) expect(record).toMatchObject({ state: 'done' });
  });

  test('cost a twentieth of a write unit per trigger', async () => {
    const source = await stage.source();
    const run = async () => {
      for (let n = 0; n < 20; n += 1) await stage.execute(stage.received([stage.trigger(source)]));
      return stage.units.write;
    };
    await run();
    const before = stage.units.write;
    // State and usage of each batch, a chunk, and permits of none: the runs are short.
    expect((await run()) - before).toBe(20 * 2 + 1);
  });

  test('go with their source', async () => {
    const source = await stage.source();
    await stage.execute(stage.received(Array.from({ length: 22 }, () => stage.trigger(source))));
    await stage.execute(stage.received([stage.trigger(source)]));
    await requested(source, 7);
    expect((await recordItems(source.id)).sort()).toEqual(['request#api-7', 'runs#0']);
    await stage.sources.tombstone(source.id);
    await stage.execute(
      stage.received([{ kind: 'purge', id: 'p', emitterId: source.id, ownerId: stage.ownerId, at: stage.clock.now() }]),
    );
    expect(await recordItems(source.id)).toEqual([]);
  });

  test('are none of a source that was deleted during a synchronous run', async () => {
    const source = await stage.source({ customResponse: true, httpProp: 'http' });
    await stage.execute(stage.received(Array.from({ length: 10 }, () => stage.trigger(source))));
    stage.control.script = async () => {
      await stage.sources.tombstone(source.id);
      return [emits('1'), ended()];
    };
    await executeSynchronously(stage.synchronous(), stage.trigger(source), { json: '{}' });
    expect(await recordItems(source.id)).toEqual([]);
  });
});

describe('a requested run', () => {
  test('waits, runs, and is done', async () => {
    const source = await stage.source();
    const trigger = await requested(source);
    const { at } = trigger;
    expect(await find(source.id, trigger)).toEqual({ id: trigger.id, receivedAt: at, startedAt: undefined });
    const during: unknown[] = [];
    stage.control.script = async () => {
      during.push(await stage.services.runRecords.find(source.id, trigger.id));
      return [ended()];
    };
    stage.clock.advance(1_000);
    await stage.execute(stage.received([trigger]));
    expect(during).toEqual([{ id: trigger.id, receivedAt: at, startedAt: at + 1_000 }]);
    expect(await find(source.id, trigger)).toMatchObject({ state: 'done', receivedAt: at });
    expect(await recordItems(source.id)).toEqual([]);
  });

  test('behind another one of its batch waits for its own start', async () => {
    const source = await stage.source();
    const triggers = [await requested(source, 1), await requested(source, 2)];
    const during: unknown[][] = [];
    stage.control.script = async () => {
      during.push(await Promise.all(triggers.map((trigger) => find(source.id, trigger))));
      return [ended()];
    };
    await stage.execute(stage.received(triggers));
    expect(during[0]).toMatchObject([{ startedAt: triggers[0]?.at }, { startedAt: undefined }]);
    expect(during[1]).toMatchObject([{}, { startedAt: triggers[1]?.at }]);
  });

  test('whose job did not start waits again', async () => {
    const source = await stage.source();
    const trigger = await requested(source);
    stage.control.script = () => 'unready';
    await stage.execute(stage.received([trigger]));
    expect(await find(source.id, trigger)).toEqual({
      id: trigger.id,
      receivedAt: trigger.at,
      startedAt: undefined,
    });
  });

  test('that is repeated after a crash runs until it is done, and has one record', async () => {
    const source = await stage.source();
    const trigger = await requested(source);
    const received = stage.received([trigger]);
    const { emitters } = stage.services;
    const fail = () => Promise.reject(new Error('the power went'));
    await stage.execute(received, { with: { ...stage.services, emitters: { ...emitters, save: fail } } });
    expect(await find(source.id, trigger)).toMatchObject({ startedAt: trigger.at });
    expect(await find(source.id, trigger)).not.toHaveProperty('state');
    await stage.execute(received);
    expect(await find(source.id, trigger)).toMatchObject({ state: 'done' });
    expect((await stage.services.emitters.load(source.id)).state.runs.text.split('\n')).toHaveLength(2);
  });

  test('is not waiting when it has left the last 100', async () => {
    const source = await stage.source();
    const trigger = await requested(source);
    await stage.execute(stage.received([trigger]));
    for (let n = 0; n < 11; n += 1)
      await stage.execute(stage.received(Array.from({ length: 10 }, () => stage.trigger(source))));
    expect(await find(source.id, trigger)).toBeUndefined();
  });

  test('whose marks cannot be written runs all the same', async () => {
    const source = await stage.source();
    const trigger = await requested(source);
    const { runRecords } = stage.services;
    const started = () => Promise.reject(new Error('throttled'));
    const result = await stage.execute(stage.received([trigger]), {
      with: { ...stage.services, runRecords: { ...runRecords, started } },
    });
    expect(result).toEqual({ completed: 1 });
    expect(await find(source.id, trigger)).toMatchObject({ state: 'done' });
  });

  test('does not come back by a mark that arrives after its end', async () => {
    const source = await stage.source();
    const trigger = await requested(source);
    await stage.execute(stage.received([trigger]));
    await stage.services.runRecords.started(source.id, trigger.id, stage.clock.now());
    await stage.services.runRecords.waits(source.id, trigger.id);
    expect(await recordItems(source.id)).toEqual([]);
  });

  test('of a source that was deleted leaves nothing', async () => {
    const source = await stage.source();
    const trigger = await requested(source);
    await stage.sources.tombstone(source.id);
    await stage.execute(stage.received([trigger]));
    expect(await recordItems(source.id)).toEqual([]);
  });
});
