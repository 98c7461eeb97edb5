import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { noticesIdOf } from '../../../../../shared/domain/notice/notices-emitter.ts';
import { MAX_NOTICES_PER_HOUR } from '../../../../../shared/domain/notice/accept-notices.ts';
import { noticeTrigger } from '../../../../../shared/domain/notice/notice-trigger.ts';
import type { EmitTrigger, LifecycleTrigger } from '../../../../../shared/domain/run/message.ts';
import type { Source } from '../../../../../shared/domain/source/source.ts';
import { executeSynchronously } from '../../../../../shared/service/runs/synchronous-run.ts';
import { HOUR_MS, MINUTE_MS } from '../../../../../shared/lib/durations.ts';
import { subscriptionStore } from '../../../../../shared/store/subscriptions/subscriptions.ts';
import { emits, ended, threw } from '../../../../support/world/script.ts';
import { type World, openWorld } from '../../../../support/world/world.ts';

let stage: World;
beforeEach(async () => {
  stage = await openWorld();
});
afterEach(() => stage.close());

const run = async (source: Source) => {
  expect((await stage.execute(stage.received([stage.trigger(source)]))).error).toBeUndefined();
};
const namesSent = () => stage.noticeTriggers.map(({ stream }) => stream);
const eventOf = ({ payload }: EmitTrigger) => JSON.parse(payload && 'json' in payload ? payload.json : '') as unknown;
const stored = async (stream: string) =>
  (await stage.services.events.latest(noticesIdOf(stage.ownerId), stream)).map(({ json, summary }) => ({
    ...(JSON.parse(json) as object),
    summary,
  }));

describe('source.errors', () => {
  test('tells of the first failed run after an hour without, and of no other', async () => {
    const source = await stage.source();
    stage.control.script = () => [emits('1'), ended()];
    await run(source);
    expect(namesSent()).toEqual([]);
    stage.control.script = () => [threw('ERR', 'no such team')];
    await run(source);
    expect(stage.noticeTriggers.map(eventOf)).toEqual([
      {
        id: source.id,
        name: source.id,
        what: 'A run failed: no such team',
        since: new Date(stage.clock.now()).toISOString(),
      },
    ]);
    for (let n = 0; n < 4; n += 1) {
      stage.clock.advance(59 * MINUTE_MS);
      await run(source);
    }
    expect(namesSent()).toEqual(['source.errors']);
    stage.clock.advance(HOUR_MS);
    await run(source);
    expect(namesSent()).toEqual(['source.errors', 'source.errors']);
  });

  test('tells of a synchronous run', async () => {
    const source = await stage.source({ customResponse: true });
    stage.control.script = () => [threw('ERR', 'no such team')];
    const trigger = stage.trigger(source);
    await expect(executeSynchronously(stage.synchronous(), trigger, { json: '{}' })).rejects.toThrow('threw');
    expect(namesSent()).toEqual(['source.errors']);
  });

  test('is sent before the state is saved, so that a process that dies in between sends it again', async () => {
    const source = await stage.source();
    stage.control.script = () => [threw('ERR', 'no such team')];
    const received = stage.received([stage.trigger(source)]);
    const dying = {
      ...stage.services,
      emitters: { ...stage.services.emitters, save: () => Promise.reject(new Error('killed')) },
    };
    expect((await stage.execute(received, { with: dying })).completed).toBe(0);
    expect(namesSent()).toEqual(['source.errors']);
  });

  test('costs neither a read nor a write', async () => {
    const source = await stage.source();
    const costAfter = async (ms: number) => {
      stage.clock.advance(ms);
      const before = { ...stage.units };
      await run(source);
      return { read: stage.units.read - before.read, write: stage.units.write - before.write };
    };
    stage.control.script = () => [threw('ERR', 'x')];
    await run(source);
    const repeated = await costAfter(HOUR_MS / 2);
    const told = await costAfter(2 * HOUR_MS);
    expect(namesSent()).toHaveLength(2);
    expect(told).toEqual(repeated);
  });
});

describe('source.failed', () => {
  async function fail(state: Source['state'], waitMs: number): Promise<Source> {
    const source = await stage.source({ hooks: ['activate'] }, { state });
    const pending = {
      revision: 7,
      since: stage.clock.now(),
      triggerId: 'life',
      configuration: source.configuration,
      traits: source.traits,
      hooks: ['activate' as const],
    };
    const { configuration, updatedAt } = source;
    await stage.sources.change(source, { configuration, pending, updatedAt });
    stage.clock.advance(waitMs);
    stage.control.script = () => [threw('ERR', 'no such team')];
    const lifecycle: LifecycleTrigger = {
      kind: 'lifecycle',
      id: 'life',
      emitterId: source.id,
      ownerId: stage.ownerId,
      at: stage.clock.now(),
      revision: 7,
    };
    await stage.execute(stage.received([lifecycle]));
    return source;
  }

  test('tells that an update switched the source off', async () => {
    const { id } = await fail('active', 0);
    expect(stage.noticeTriggers.map((each) => [each.stream, eventOf(each)])).toEqual([
      ['source.failed', expect.objectContaining({ id, what: 'The hook activate failed: Error: no such team' })],
    ]);
  });

  test('tells of a create that its request no longer waits for, and of no other', async () => {
    await fail('activating', 1_000);
    expect(namesSent()).toEqual([]);
    await fail('activating', MINUTE_MS);
    expect(namesSent()).toEqual(['source.failed']);
  });
});

describe('the emitter of notices', () => {
  const notice = (n: number, what = 'It answers 500.') =>
    noticeTrigger(
      {
        name: 'webhook.failing',
        ownerId: stage.ownerId,
        subject: { id: `wh_${n}`, name: `hook ${n}` },
        what,
        since: stage.clock.now(),
      },
      stage.clock.now(),
    );
  const execute = async (...triggers: EmitTrigger[]) => {
    expect(await stage.execute(stage.received(triggers))).toEqual({ completed: triggers.length });
  };

  test('stores and delivers a notice once, whoever sends it again', async () => {
    await stage.user();
    await execute(notice(1), notice(1, 'It cannot be reached.'));
    await execute(notice(1), notice(2));
    expect(await stored('webhook.failing')).toMatchObject([
      { id: 'wh_2', summary: 'hook 2: It answers 500.' },
      { id: 'wh_1', name: 'hook 1', what: 'It answers 500.' },
    ]);
    expect(stage.deliveries.map(({ stream }) => stream)).toEqual(['webhook.failing', 'webhook.failing']);
  });

  test('repeats a batch that died before its state was saved with the same ids', async () => {
    await stage.user();
    const received = stage.received([notice(1)]);
    const dying = {
      ...stage.services,
      emitters: { ...stage.services.emitters, save: () => Promise.reject(new Error('killed')) },
    };
    await stage.execute(received, { with: dying });
    await stage.execute(received);
    await stage.execute(received);
    expect(await stored('webhook.failing')).toHaveLength(1);
    expect(new Set(stage.deliveries.map(({ emitId, eventId }) => `${emitId} ${eventId}`)).size).toBe(1);
  });

  test('has a limit per hour and name', async () => {
    await stage.user();
    const all = Array.from({ length: MAX_NOTICES_PER_HOUR + 3 }, (_, n) => notice(n));
    await execute(...all);
    expect(stage.deliveries).toHaveLength(MAX_NOTICES_PER_HOUR);
    expect(stage.logged).toEqual(['notices.left_out']);
    stage.clock.advance(HOUR_MS);
    await execute(notice(1));
    expect(stage.deliveries).toHaveLength(MAX_NOTICES_PER_HOUR + 1);
  });

  test('goes with its user, and takes no notice after that', async () => {
    await stage.user();
    await execute(notice(1));
    const emitterId = noticesIdOf(stage.ownerId);
    await stage.users.remove(stage.ownerId);
    await stage.execute(
      stage.received([{ kind: 'purge', id: 'purge', emitterId, ownerId: stage.ownerId, at: stage.clock.now() }]),
    );
    await execute(notice(2));
    expect(await stored('webhook.failing')).toEqual([]);
    expect((await stage.services.emitters.load(emitterId)).state.version).toBe(0);
  });

  test('stores notices also for a user who has reached the limit of stored bytes', async () => {
    await stage.user();
    const full = { ...stage.services, storage: { ...stage.services.storage, isFull: async () => true } };
    await stage.execute(stage.received([notice(1)]), { with: full });
    expect(await stored('webhook.failing')).toHaveLength(1);
  });

  test('is subscribed to by its own user only', async () => {
    await stage.user();
    const listener = await stage.source();
    const subscription = {
      id: 'sub_1' as never,
      ownerId: stage.ownerId,
      emitter: noticesIdOf(stage.ownerId),
      listenerId: listener.id,
      eventName: 'webhook.failing',
      createdAt: 0,
    };
    const { create } = subscriptionStore(stage.table);
    expect(await create(subscription, 10)).toEqual(subscription);
    const other = { ...subscription, emitter: noticesIdOf('u_other' as never) };
    expect(await create(other, 10)).toBeUndefined();
  });
});
