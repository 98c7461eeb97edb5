import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { executeSynchronously } from '../../../../../shared/service/runs/synchronous-run.ts';
import { eventId } from '../../../../../shared/domain/event/event-id.ts';
import type { Chain } from '../../../../../shared/domain/run/chain.ts';
import type { EmitTrigger, LifecycleTrigger } from '../../../../../shared/domain/run/message.ts';
import type { PendingRevision, Source } from '../../../../../shared/domain/source/source.ts';
import type { HookName, SourceTraits } from '../../../../../shared/domain/component/source-traits.ts';
import { emits, ended, threw } from '../../../../support/world/script.ts';
import { type World, openWorld } from '../../../../support/world/world.ts';

let stage: World;
beforeEach(async () => {
  stage = await openWorld();
  await stage.user();
});
afterEach(() => stage.close());

const shown = async (source: Pick<Source, 'id'>, stream = 'default') =>
  (await stage.services.events.latest(source.id, stream)).map(
    ({ json }) => JSON.parse(json) as Record<string, unknown>,
  );

const pendingOf = (
  source: Source,
  hooks: HookName[],
  {
    traits = {},
    active = true,
    bundleHash = 'n'.repeat(64),
  }: { traits?: Partial<SourceTraits>; active?: boolean; bundleHash?: string } = {},
): PendingRevision => ({
  revision: 7,
  since: stage.clock.now(),
  triggerId: `life-${source.id}`,
  configuration: { ...source.configuration, bundleHash, active },
  traits: { ...source.traits, hooks: ['deploy', 'activate', 'deactivate'], ...traits },
  hooks,
});

const lifecycle = (source: Source): LifecycleTrigger => ({
  kind: 'lifecycle',
  id: `life-${source.id}`,
  emitterId: source.id,
  ownerId: stage.ownerId,
  at: stage.clock.now(),
  revision: 7,
});

async function pendingSource(
  hooks: HookName[],
  overrides: Partial<Source> & { to?: Parameters<typeof pendingOf>[2] } = {},
) {
  const { to, ...more } = overrides;
  const plain = await stage.source({ hooks: ['deploy', 'activate', 'deactivate'] }, more);
  const pending = pendingOf(plain, hooks, to);
  await stage.sources.change(plain, {
    configuration: plain.configuration,
    pending,
    updatedAt: plain.updatedAt,
  });
  return plain;
}

const hooksRun = () =>
  stage.requests.flatMap(({ jobs }) => jobs.map((job) => (job.kind === 'hook' ? job.hook : job.kind)));

describe('a create', () => {
  test('stores what activate reports about late work of deploy, after the events of all hooks', async () => {
    const source = await pendingSource(['deploy', 'activate'], { state: 'creating', generation: 0 });
    const late = {
      k: 'late' as const,
      run: `life-${source.id}-deploy`,
      counts: { emits: 1, logs: 0, writes: 0, responses: 0, errors: 0 },
    };
    stage.control.script = (job) => [
      ...(job.kind === 'hook' && job.hook === 'activate' ? [late] : []),
      emits('1'),
      ended(),
    ];
    await stage.execute(stage.received([lifecycle(source)]));
    const [log, ...others] = await stage.services.events.latest(source.id, '$logs');
    expect(others).toEqual([]);
    expect(JSON.parse(log?.json ?? '')).toMatchObject({
      run_id: `life-${source.id}-deploy`,
      lines: [{ msg: expect.stringContaining('emitted 1 event. All') }],
    });
    expect(stage.deliveries.map(({ stream }) => stream)).toEqual(['default', 'default', '$logs']);
  });

  test('runs deploy and activate, then swaps: state, generation, outcome', async () => {
    const source = await pendingSource(['deploy', 'activate'], { state: 'creating', generation: 0 });
    stage.control.script = (job) => (job.kind === 'hook' ? [emits(JSON.stringify(job.hook)), ended()] : [ended()]);
    expect(await stage.execute(stage.received([lifecycle(source)]))).toEqual({ completed: 1 });
    expect(hooksRun()).toEqual(['deploy', 'activate']);
    expect(await stage.sources.find(source.id)).toMatchObject({
      state: 'active',
      generation: 1,
      outcome: { revision: 7, ok: true },
    });
    expect((await stage.sources.find(source.id))?.pending).toBeUndefined();
    expect(await shown(source)).toEqual([{ raw_event: 'activate' }, { raw_event: 'deploy' }]);
  });

  test("fails with its hook, with the hook's message and an error event, and later hooks do not run", async () => {
    const source = await pendingSource(['deploy', 'activate'], { state: 'creating', generation: 0 });
    stage.control.script = () => [emits('{"kept":true}'), threw('ERR', 'no such team')];
    await stage.execute(stage.received([lifecycle(source)]));
    expect(hooksRun()).toEqual(['deploy']);
    expect(await stage.sources.find(source.id)).toMatchObject({
      state: 'failed',
      outcome: { revision: 7, ok: false, hook: 'deploy', message: 'Error: no such team', lines: [] },
    });
    expect(await shown(source)).toEqual([{ kept: true }]);
    expect(await shown(source, '$errors')).toMatchObject([
      { error: { code: 'hook_failed', message: 'no such team' }, original_context: { source_type: 'hook' } },
    ]);
  });

  test.each(['unready', 'silent', 'unstarted'] as const)(
    'with a hook that is %s has not failed: it comes again after a pause',
    async (how) => {
      const source = await pendingSource(['deploy', 'activate'], { state: 'creating', generation: 0 });
      const received = stage.received([lifecycle(source)]);
      stage.control.script = (job) => (job.kind === 'hook' && job.hook === 'activate' ? how : [ended()]);
      expect(await stage.execute(received)).toMatchObject({ completed: 0, error: { kind: 'unavailable' } });
      expect(await stage.sources.find(source.id)).toMatchObject({
        state: 'creating',
        pending: { revision: 7 },
      });
      stage.control.script = () => [ended()];
      expect(await stage.execute(received)).toEqual({ completed: 1 });
      expect((await stage.sources.find(source.id))?.state).toBe('active');
    },
  );

  test('activate and runs see the db that deploy wrote', async () => {
    const source = await pendingSource(['deploy', 'activate'], { state: 'creating', generation: 0 });
    const seen: string[] = [];
    stage.control.script = (job, request) => {
      seen.push(request.db);
      return [{ k: 'db', json: JSON.stringify({ by: job.kind === 'hook' ? job.hook : 'run' }) } as never, ended()];
    };
    await stage.execute(stage.received([lifecycle(source), stage.trigger(source)]));
    expect(seen).toEqual(['{}', '{"by":"deploy"}', '{"by":"activate"}']);
  });

  test('received again after its completion does nothing', async () => {
    const source = await pendingSource(['deploy'], { state: 'creating', generation: 0 });
    const received = stage.received([lifecycle(source)]);
    await stage.execute(received);
    await stage.execute(received);
    expect(hooksRun()).toEqual(['deploy']);
  });

  test('interrupted before its swap runs again', async () => {
    const source = await pendingSource(['activate'], { state: 'creating', generation: 0 });
    const received = stage.received([lifecycle(source)]);
    const { sources } = stage.services;
    const broken = {
      ...stage.services,
      sources: { ...sources, swap: () => Promise.reject(new Error('power')) },
    };
    expect((await stage.execute(received, { with: broken })).completed).toBe(0);
    expect(await stage.execute(received)).toEqual({ completed: 1 });
    expect((await stage.sources.find(source.id))?.state).toBe('active');
  });
});

describe('an update', () => {
  test('deactivates the old code and activates the new', async () => {
    const source = await pendingSource(['deactivate', 'activate']);
    await stage.execute(stage.received([lifecycle(source)]));
    expect(stage.requests.map(({ bundle, jobs }) => [bundle.hash[0], jobs[0]])).toMatchObject([
      ['b', { hook: 'deactivate' }],
      ['n', { hook: 'activate' }],
    ]);
    expect(await stage.sources.find(source.id)).toMatchObject({
      generation: 2,
      configuration: { bundleHash: 'n'.repeat(64) },
    });
  });

  test('goes on after a failed deactivate, with an error event', async () => {
    const source = await pendingSource(['deactivate', 'activate']);
    stage.control.script = (job) => (job.kind === 'hook' && job.hook === 'deactivate' ? [threw('X')] : [ended()]);
    await stage.execute(stage.received([lifecycle(source)]));
    expect(await stage.sources.find(source.id)).toMatchObject({ state: 'active', outcome: { ok: true } });
    expect(await shown(source, '$errors')).toHaveLength(1);
  });

  test('with a failed activate leaves the source inactive, without a timer', async () => {
    const source = await pendingSource(['activate'], { timerAnchor: 1 });
    await stage.services.timers.start({
      sourceId: source.id,
      ownerId: stage.ownerId,
      generation: 1,
      anchor: 0,
      timer: { intervalSeconds: 60 },
    });
    stage.control.script = () => [threw('X', 'gone')];
    await stage.execute(stage.received([lifecycle(source)]));
    expect(await stage.sources.find(source.id)).toMatchObject({
      state: 'inactive',
      outcome: { ok: false, hook: 'activate', message: 'Error: gone' },
    });
    expect(stage.schedules.size).toBe(0);
  });

  test('triggers taken before it run with the old code, those behind it with the new', async () => {
    const source = await pendingSource(['deactivate', 'activate']);
    await stage.execute(stage.received([stage.trigger(source), lifecycle(source), stage.trigger(source)]));
    expect(stage.requests.map(({ bundle }) => bundle.hash[0])).toEqual(['b', 'b', 'n', 'n']);
  });
});

describe('timers', () => {
  const timed = async (timer: NonNullable<SourceTraits['timer']>) => {
    const source = await pendingSource(['activate'], { to: { traits: { timer } } });
    await stage.execute(stage.received([lifecycle(source)]));
    return { source, schedule: stage.schedules.get(`timer-${source.id}`) };
  };

  test('of whole minutes begin one interval after activate, in the generation that the swap makes', async () => {
    const { source, schedule } = await timed({ intervalSeconds: 300 });
    expect(schedule).toMatchObject({
      when: { expression: 'rate(5 minutes)' },
      startAt: new Date(stage.clock.now() + 300_000),
      queueArn: 'arn:runs',
      groupId: source.id,
    });
    expect(JSON.parse(schedule?.input ?? '')).toMatchObject({
      generation: 2,
      scheduledAt: '<aws.scheduler.scheduled-time>',
    });
    expect(await stage.sources.find(source.id)).toMatchObject({ timerAnchor: stage.clock.now() });
  });

  test('with cron run in their time zone', async () => {
    const { schedule } = await timed({ cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' });
    expect(schedule?.when).toEqual({ expression: 'cron(0 9 ? * 2-6 *)', timezone: 'Europe/Berlin' });
    expect(schedule?.startAt).toBeUndefined();
  });

  test('of 15 seconds tick from the first quarter of a minute on', async () => {
    const { schedule } = await timed({ intervalSeconds: 15 });
    expect(schedule).toMatchObject({ when: { expression: 'rate(1 minute)' }, queueArn: 'arn:jobs' });
    expect(stage.jobMessages.map(({ delaySeconds }) => delaySeconds)).toEqual([15, 30, 45, 60, 75, 90, 105]);
  });

  test('stop with a source that is disabled', async () => {
    const { source } = await timed({ intervalSeconds: 60 });
    const now = await stage.sources.find(source.id);
    if (!now) throw new Error('unreachable');
    const pending = { ...pendingOf(now, ['deactivate'], { active: false }), revision: 7 };
    await stage.sources.change(now, { configuration: now.configuration, pending, updatedAt: now.updatedAt });
    await stage.execute(stage.received([lifecycle(source)]));
    expect(stage.schedules.size).toBe(0);
    expect(await stage.sources.find(source.id)).toMatchObject({ state: 'inactive' });
  });
});

describe('deletion', () => {
  test('of events covers what was stored when it was accepted, however late it runs', async () => {
    const source = await stage.source();
    stage.control.script = (job) => [emits(job.kind === 'run' ? job.event : ''), ended()];
    const first = stage.received([stage.trigger(source, { n: 1 })]);
    await stage.execute(first);
    const to = eventId({ ms: stage.clock.now(), sequence: Number.MAX_SAFE_INTEGER });
    stage.clock.advance(5);
    await stage.execute(stage.received([stage.trigger(source, { n: 2 })]));
    await stage.execute(
      stage.received([
        {
          kind: 'delete-events',
          id: 'd1',
          emitterId: source.id,
          ownerId: stage.ownerId,
          at: 0,
          ranges: [{ stream: 'default', to }],
        },
      ]),
    );
    expect(await shown(source)).toEqual([{ n: 2 }]);
  });

  test('of recent events does not bring back older events', async () => {
    const source = await stage.source();
    stage.control.script = () => [emits('{}'), ended()];
    for (let n = 0; n < 13; n += 1) {
      await stage.execute(stage.received(Array.from({ length: 10 }, () => stage.trigger(source))));
      stage.clock.advance(10);
    }
    const events = await stage.services.events.latest(source.id, 'default');
    const [newest, from] = [events[0]?.id, events[49]?.id];
    if (!newest || !from) throw new Error('unreachable');
    const ranges = [{ stream: 'default', from, to: newest }];
    await stage.execute(
      stage.received([
        { kind: 'delete-events', id: 'd2', emitterId: source.id, ownerId: stage.ownerId, at: 0, ranges },
      ]),
    );
    expect(await stage.services.events.latest(source.id, 'default')).toHaveLength(50);
  });

  test('of a source deactivates it and deletes everything that it owned', async () => {
    const source = await stage.source({ hooks: ['deactivate'] });
    stage.control.script = () => [
      emits('{}'),
      emits('{}', { name: 'custom' }),
      { k: 'db', json: '{"a":1}' } as never,
      ended(),
    ];
    await stage.execute(stage.received([stage.trigger(source)]));
    await stage.services.timers.start({
      sourceId: source.id,
      ownerId: stage.ownerId,
      generation: 1,
      anchor: 0,
      timer: { intervalSeconds: 60 },
    });
    await stage.sources.tombstone(source.id);
    const purge = { kind: 'purge', id: 'p', emitterId: source.id, ownerId: stage.ownerId, at: 0 } as const;
    await stage.execute(stage.received([purge]));
    expect(hooksRun()).toEqual(['run', 'deactivate']);
    expect(await stage.sources.find(source.id)).toBeUndefined();
    expect(await shown(source)).toEqual([]);
    expect(await shown(source, 'custom')).toEqual([]);
    expect((await stage.services.emitters.load(source.id)).state.version).toBe(0);
    expect((await stage.services.emitters.load(source.id)).db).toBe('{}');
    expect(stage.schedules.size).toBe(0);
    expect(await stage.execute(stage.received([purge]))).toEqual({ completed: 1 });
  });
});

describe('a source that is deleted while its hooks run', () => {
  const purge = (source: Source) =>
    ({ kind: 'purge', id: 'p', emitterId: source.id, ownerId: stage.ownerId, at: 0 }) as const;
  /** The code that ran each hook: b is the old one, n the new one. */
  const ranBy = () =>
    stage.requests.flatMap(({ bundle, jobs }) =>
      jobs.map((job) => (job.kind === 'hook' ? `${job.hook} ${bundle.hash[0]}` : job.kind)),
    );
  const deletedDuring = (source: Source, during: string, lines = [ended()]) => {
    stage.control.script = async (job) => {
      if (job.kind === 'hook' && job.hook === during) await stage.sources.tombstone(source.id);
      return job.kind === 'hook' && job.hook === during ? lines : [ended()];
    };
  };
  const creating = () => pendingSource(['deploy', 'activate'], { state: 'creating', generation: 0 });
  const gone = async (source: Source) => (await stage.sources.find(source.id)) === undefined;

  test.each(['deploy', 'activate'])('at its creation, during %s: the activated code is deactivated', async (during) => {
    const source = await creating();
    deletedDuring(source, during);
    await stage.execute(stage.received([lifecycle(source), purge(source)]));
    expect(ranBy()).toEqual(['deploy n', 'activate n', 'deactivate n']);
    expect(await gone(source)).toBe(true);
  });

  test.each(['deactivate', 'activate'])(
    'at an update, during %s: each code is deactivated once, the new one after it was activated',
    async (during) => {
      const source = await pendingSource(['deactivate', 'activate']);
      deletedDuring(source, during);
      await stage.execute(stage.received([lifecycle(source), purge(source)]));
      expect(ranBy()).toEqual(['deactivate b', 'activate n', 'deactivate n']);
    },
  );

  test('as it is enabled: it is deactivated', async () => {
    const source = await stage.source({ hooks: ['activate', 'deactivate'] }, { state: 'inactive' });
    const disabled = { ...source.configuration, active: false };
    const pending = pendingOf(source, ['activate']);
    await stage.sources.change(source, { configuration: disabled, pending, updatedAt: source.updatedAt });
    deletedDuring(source, 'activate');
    await stage.execute(stage.received([lifecycle(source), purge(source)]));
    expect(ranBy()).toEqual(['activate n', 'deactivate n']);
  });

  test('as it is disabled: it is not deactivated again', async () => {
    const source = await pendingSource(['deactivate'], { to: { active: false } });
    deletedDuring(source, 'deactivate');
    await stage.execute(stage.received([lifecycle(source), purge(source)]));
    expect(ranBy()).toEqual(['deactivate b']);
  });

  test('and whose activate then fails: there is nothing to deactivate', async () => {
    const source = await pendingSource(['deactivate', 'activate']);
    deletedDuring(source, 'activate', [threw('X')]);
    await stage.execute(stage.received([lifecycle(source), purge(source)]));
    expect(ranBy()).toEqual(['deactivate b', 'activate n']);
  });

  test('before any hook started: only the deactivate of the active code runs', async () => {
    const [made, updated] = [await creating(), await pendingSource(['deactivate', 'activate'])];
    for (const source of [made, updated]) {
      await stage.sources.tombstone(source.id);
      await stage.execute(stage.received([lifecycle(source), purge(source)]));
    }
    expect(ranBy()).toEqual(['deactivate b']);
  });

  test('immediately before their start: no hook runs', async () => {
    const source = await creating();
    const received = stage.received([lifecycle(source), purge(source)]);
    const { sources } = stage.services;
    const late: typeof sources.startHook = async (...args) => {
      await stage.sources.tombstone(source.id);
      return sources.startHook(...args);
    };
    const racing = { ...stage.services, sources: { ...sources, startHook: late } };
    expect(await stage.execute(received, { with: racing })).toEqual({ completed: 2 });
    expect(ranBy()).toEqual([]);
    expect(await gone(source)).toBe(true);
  });

  test('after them, before it was noted that they had run: they run again, and what was activated last is deactivated', async () => {
    const source = await creating();
    const received = stage.received([lifecycle(source), purge(source)]);
    const { sources } = stage.services;
    const broken = {
      ...stage.services,
      sources: { ...sources, swap: () => Promise.reject(new Error('power')) },
    };
    deletedDuring(source, 'activate');
    expect((await stage.execute(received, { with: broken })).completed).toBe(0);
    expect(await stage.execute(received)).toEqual({ completed: 2 });
    expect(ranBy()).toEqual(['deploy n', 'activate n', 'deploy n', 'activate n', 'deactivate n']);
  });

  test('runs its deactivate once, also when the rest of the deletion is tried again', async () => {
    const source = await stage.source({ hooks: ['deactivate'] });
    await stage.sources.tombstone(source.id);
    const received = stage.received([purge(source)]);
    const subscriptions = { removeAllOf: () => Promise.reject(new Error('power')) };
    const broken = { ...stage.services, subscriptions };
    expect((await stage.execute(received, { with: broken })).completed).toBe(0);
    expect(await stage.execute(received)).toEqual({ completed: 1 });
    expect(ranBy()).toEqual(['deactivate b']);
  });
});

describe('the deactivate hook of a deleted source', () => {
  const deleted = async (receiveCount: number) => {
    const source = await stage.source({ hooks: ['deactivate'] });
    await stage.sources.tombstone(source.id);
    const purge = { kind: 'purge', id: 'p', emitterId: source.id, ownerId: stage.ownerId, at: 0 } as const;
    const result = await stage.execute(stage.received([purge], { receiveCount }));
    return { result, isThere: (await stage.sources.find(source.id)) !== undefined };
  };

  test('that cannot be started is waited for', async () => {
    stage.control.script = () => 'unready';
    expect(await deleted(9)).toMatchObject({ result: { error: { kind: 'unavailable' } }, isThere: true });
  });

  test('that could not be started for a quarter of an hour is skipped', async () => {
    stage.control.script = () => 'unready';
    expect(await deleted(10)).toEqual({ result: { completed: 1 }, isThere: false });
    expect(stage.logged).toEqual(['deactivate.failed']);
  });

  test('that fails keeps nothing alive', async () => {
    stage.control.script = () => [threw('ERR')];
    expect(await deleted(1)).toEqual({ result: { completed: 1 }, isThere: false });
    expect(stage.logged).toEqual(['deactivate.failed']);
  });
});

describe('an emit with delivery_ts', () => {
  const delayed = async (chain: Partial<Chain> = {}) => {
    const source = await stage.source();
    const deliveryTs = stage.clock.now() + 3_600_000;
    stage.control.script = () => [emits('{"later":1}', { name: 'due', deliveryTs }), emits('{"now":1}'), ended()];
    await stage.execute(stage.received([stage.trigger(source, {}, chain)]));
    const [schedule] = stage.schedules.values();
    if (!schedule) throw new Error('There is no schedule');
    return { source, deliveryTs, schedule, due: JSON.parse(schedule.input) as EmitTrigger };
  };

  test('waits on $in and is emitted at its time', async () => {
    const { source, deliveryTs, schedule, due } = await delayed();
    expect(schedule.when).toEqual({ at: new Date(deliveryTs) });
    expect(schedule.name.length).toBeLessThanOrEqual(64);
    expect(await shown(source, '$in')).toEqual([{ later: 1 }]);
    expect(stage.deliveries.map(({ stream }) => stream)).toEqual(['default']);
    stage.clock.advance(3_600_000);
    const received = stage.received([due]);
    await stage.execute(received);
    await stage.execute(received);
    expect(await shown(source, 'due')).toEqual([{ later: 1 }]);
    expect(await shown(source, '$in')).toEqual([]);
    expect(stage.deliveries).toHaveLength(2);
  });

  test('continues the chain of its run', async () => {
    const { id } = await stage.source();
    const { due } = await delayed({ hops: 1, passed: [id] });
    await stage.execute(stage.received([due]));
    expect(stage.deliveries).toMatchObject([
      { stream: 'default', hops: 1, passed: [id] },
      { stream: 'due', hops: 1, passed: [id] },
    ]);
  });

  test('is cancelled by deleting it there', async () => {
    const { source, due } = await delayed();
    await stage.services.events.remove(source.id, '$in', () => true);
    await stage.execute(stage.received([due]));
    expect(await shown(source, 'due')).toEqual([]);
  });
});

describe('a run with customResponse', () => {
  const sync = (source: Source, event: unknown = {}) =>
    executeSynchronously(stage.synchronous(), stage.trigger(source, event), { json: JSON.stringify(event) });
  const responds = {
    k: 'respond',
    status: 201,
    headers: { 'x-a': '1' },
    body: 'made',
    base64: false,
  } as never;

  test('answers what the component responds, after its events are stored and sent', async () => {
    const source = await stage.source();
    stage.control.script = () => [responds, emits('{"n":1}'), ended()];
    expect(await sync(source)).toMatchObject({ status: 201, headers: { 'x-a': '1' }, body: 'made' });
    expect(await shown(source)).toEqual([{ n: 1 }]);
    expect(stage.deliveries).toHaveLength(1);
  });

  test.each([
    ['no respond', [ended()], { status: 200, body: '{"success":true}' }, undefined],
    ['responding, then throwing', [responds, threw('X')], { status: 201 }, undefined],
    ['throwing', [threw('X')], undefined, { code: 'run_failed' }],
    ['no response in 25 s', [threw('timeout')], undefined, { code: 'no_response' }],
  ])('%s', async (_name, lines, response, error) => {
    const source = await stage.source();
    stage.control.script = () => lines;
    if (response) expect(await sync(source)).toMatchObject(response);
    else await expect(sync(source)).rejects.toMatchObject(error ?? {});
  });

  test('overlapping others may emit a duplicate but suppresses no new event, and all ids are kept', async () => {
    const source = await stage.source({ dedupe: 'unique' });
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    stage.control.script = (job) => [emits('{}', { id: job.kind === 'run' ? job.event : '' }), ended()];
    await Promise.all([
      ...ids.map((id) => sync(source, id)),
      stage.execute(stage.received([stage.trigger(source, 'queued')])),
    ]);
    expect(await shown(source)).toHaveLength(7);
    stage.deliveries.length = 0;
    await Promise.all([...ids, 'queued'].map((id) => sync(source, id)));
    expect(stage.deliveries).toHaveLength(0);
    const stored = await stage.services.events.latest(source.id, 'default');
    expect(new Set(stored.map(({ id }) => id)).size).toBe(7);
  });

  test('of a source that was deleted meanwhile leaves no state behind', async () => {
    const source = await stage.source();
    stage.control.script = () => [responds, ended()];
    const { emitters } = stage.services;
    const services = {
      ...stage.services,
      emitters: {
        ...emitters,
        save: async (save: Parameters<typeof emitters.save>[0]) => {
          await stage.sources.tombstone(source.id);
          return emitters.save(save);
        },
      },
    };
    expect(
      await executeSynchronously(stage.synchronous(services), stage.trigger(source), { json: '{}' }),
    ).toMatchObject({ status: 201 });
    expect((await emitters.load(source.id)).state.version).toBe(0);
  });
});
