import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunnerLine } from '../../../../../shared/domain/run/run.ts';
import { SourceId, UserId } from '../../../../../shared/domain/id.ts';
import { lateTrigger } from '../../../../../shared/service/runs/late-work.ts';
import { executeSynchronously } from '../../../../../shared/service/runs/synchronous-run.ts';
import { emits, ended } from '../../../../support/world/script.ts';
import { type World, openWorld } from '../../../../support/world/world.ts';

let stage: World;
beforeEach(async () => {
  stage = await openWorld();
});
afterEach(() => stage.close());

type Late = Extract<RunnerLine, { k: 'late' }>;

const late = (run: string, counts: Partial<Late['counts']> = { emits: 2 }) => {
  const line: Omit<Late, 'job'> = {
    k: 'late',
    run,
    counts: { emits: 0, logs: 0, writes: 0, responses: 0, errors: 0, ...counts },
  };
  return line;
};

test('a report becomes one $logs event of the earlier run, after all other events of the batch', async () => {
  const source = await stage.source();
  const triggers = [stage.trigger(source), stage.trigger(source)];
  stage.control.script = (job) =>
    job.id === triggers[0]?.id ? [late('earlier'), emits('1'), ended()] : [emits('2'), ended()];
  await stage.execute(stage.received(triggers));
  const [log, ...others] = await stage.services.events.latest(source.id, '$logs');
  expect(JSON.parse(log?.json ?? '')).toEqual({
    run_id: 'earlier',
    lines: [{ k: 'console.warn', ts: stage.clock.now(), msg: expect.stringContaining('emitted 2 events. All') }],
  });
  expect(others).toEqual([]);
  const events = await stage.services.events.latest(source.id, 'default');
  expect(events).toHaveLength(2);
  expect(events.every(({ id }) => id < (log?.id ?? ''))).toBe(true);
});

test('a report of an idle process is a $logs event; its trigger has one id for each run', async () => {
  const source = await stage.source();
  const { counts } = late('earlier');
  const report = { ownerId: source.ownerId, sourceId: source.id, run: 'earlier', counts };
  const sent = [1, 2].map((ms) => lateTrigger(report, stage.clock.now() + ms));
  expect(sent[0]?.id).toBe(sent[1]?.id);
  const others = [
    { ...report, sourceId: 'dc_other' },
    { ...report, run: 'other' },
  ];
  expect(new Set([report, ...others].map((each) => lateTrigger(each, 1)?.id)).size).toBe(3);
  if (sent[0]) await stage.execute(stage.received([sent[0]]));
  const logs = await stage.services.events.latest(source.id, '$logs');
  expect(logs.map(({ json }) => json)).toEqual([expect.stringContaining('"run_id":"earlier"')]);
});

test('a report continues the chain of its run with a sixteenth of the runs that are left', () => {
  const { counts } = late('earlier');
  const report = { ownerId: UserId.parse('u_a'), sourceId: 'dc_a', run: 'earlier', counts };
  const passed = [SourceId.parse('dc_b')];
  expect(lateTrigger({ ...report, chain: { hops: 2, passed, left: 100 } }, 1)).toMatchObject({
    hops: 2,
    passed,
    left: 6,
  });
  expect(lateTrigger(report, 1)).toMatchObject({ hops: 0, left: 62 });
});

test('a repeated batch overwrites the report, and other events keep their ids without it', async () => {
  const source = await stage.source();
  const received = stage.received([stage.trigger(source), stage.trigger(source)]);
  const idsAfter = async (reports: boolean) => {
    stage.control.script = () => [...(reports ? [late('earlier')] : []), emits('1'), ended()];
    // The service dies after it has stored the events and before it has saved the state.
    const dying = {
      ...stage.services,
      emitters: { ...stage.services.emitters, save: () => Promise.reject(new Error('died')) },
    };
    const { completed } = await stage.execute(received, { with: dying });
    expect(completed).toBe(0);
    return stage.deliveries.splice(0).map(({ stream, eventId, emitId }) => [stream, eventId, emitId]);
  };
  const all = await idsAfter(true);
  expect(await idsAfter(true)).toEqual(all);
  expect(await idsAfter(false)).toEqual(all.filter(([stream]) => stream !== '$logs'));
});

test('a report does not show that its job started', async () => {
  const source = await stage.source();
  stage.control.script = () => [late('earlier')];
  const { completed } = await stage.execute(stage.received([stage.trigger(source)]));
  expect(completed).toBe(0);
  expect(await stage.services.events.latest(source.id, '$errors')).toEqual([]);
});

test('a report of nothing is no event', async () => {
  const source = await stage.source();
  stage.control.script = () => [late('earlier', {}), ended()];
  await stage.execute(stage.received([stage.trigger(source)]));
  expect(await stage.services.events.latest(source.id, '$logs')).toEqual([]);
});

test('a synchronous run stores a report, too', async () => {
  const source = await stage.source({ customResponse: true });
  stage.control.script = () => [late('earlier', { writes: 1, responses: 3, errors: 1 }), ended()];
  await executeSynchronously(stage.synchronous(), stage.trigger(source), { json: '{}' });
  const [log] = await stage.services.events.latest(source.id, '$logs');
  expect(log?.json).toContain('called db.set 1 time, called respond 3 times and threw 1 error. All');
});
