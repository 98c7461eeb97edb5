import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BEHIND_AFTER_MS, LONGEST_WAIT_MS, SLICE_MS } from '../../../../../shared/domain/run/backlog-limits.ts';
import { DAY_MS } from '../../../../../shared/lib/durations.ts';
import type { Source } from '../../../../../shared/domain/source/source.ts';
import { type BacklogWorld, backlogWorld } from '../../../../support/world/backlog.ts';
import { emits, ended } from '../../../../support/world/script.ts';

let world: BacklogWorld;
let source: Source;
const runMs = { value: 0 };
beforeEach(async () => {
  world = await backlogWorld();
  runMs.value = 0;
  world.control.script = (job) => {
    world.clock.advance(runMs.value);
    return [emits(job.kind === 'run' ? job.event : '{}'), ended(runMs.value)];
  };
  source = await world.source();
});
afterEach(() => world.close());

const request = (n: number) => world.send(world.trigger(source, { n }));
const requests = (first: number, count: number) => {
  for (let n = first; n < first + count; n += 1) request(n);
};
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const wait = (ms: number) => {
  world.clock.advance(ms);
};

describe('a source that is behind', () => {
  test('gets a backlog when its oldest trigger has waited for 60 s, and not before', async () => {
    requests(0, 2);
    wait(BEHIND_AFTER_MS - 1);
    await world.step('source', { limit: 1 });
    expect(await world.backlogOf(source)).toBeUndefined();
    wait(1);
    await world.step('source');
    expect(await world.backlogOf(source)).toMatchObject({ moved: { count: 1 } });
  });

  test('runs everything in order, and its backlog ends', async () => {
    requests(0, 35);
    wait(BEHIND_AFTER_MS);
    await world.step('source');
    requests(35, 5);
    await world.settle();
    expect(await world.emitted(source)).toEqual(numbers(40));
    expect(await world.backlogOf(source)).toBeUndefined();
    request(40);
    await world.settle();
    expect(await world.emitted(source)).toEqual(numbers(41));
  });

  test('runs nothing in its own group while it has a backlog, which another group executes in slices of 10 s', async () => {
    requests(0, 50);
    wait(BEHIND_AFTER_MS);
    runMs.value = 500;
    while (world.groups.source.length > 0) await world.step('source');
    expect(world.requests).toEqual([]);
    const before = world.clock.now();
    await world.step('backlog');
    expect(world.clock.now() - before).toBeGreaterThanOrEqual(10_000);
    expect(world.clock.now() - before).toBeLessThan(10_000 + runMs.value + 1);
    expect(world.groups.backlog).toHaveLength(1);
    await world.settle();
    expect(await world.emitted(source)).toEqual(numbers(50));
  });

  test('keeps a burst of 300 and one a second after it, at 0.3 s a run: none is lost, all run in order', async () => {
    runMs.value = 300;
    world.control.script = (job) => {
      wait(runMs.value);
      return [emits(job.kind === 'run' ? job.event : '{}', { name: 'all' }), ended()];
    };
    const order: number[] = [];
    const { script } = world.control;
    world.control.script = (job, all) => {
      if (job.kind === 'run') order.push((JSON.parse(job.event) as { n: number }).n);
      return script(job, all);
    };
    requests(0, 300);
    let next = 300;
    const arrivedAt = world.clock.now();
    while (world.groups.source.length + world.groups.backlog.length > 0) {
      const due = Math.min(400, 300 + Math.floor((world.clock.now() - arrivedAt) / 1_000));
      requests(next, Math.max(0, due - next));
      next = Math.max(next, due);
      await world.step('source');
      await world.step('backlog');
    }
    expect(order).toEqual(numbers(next));
    expect(next).toBeGreaterThan(380);
  });

  test('has triggers of more than 4 KB in the bucket, and deletes them with the trigger', async () => {
    const text = 'x'.repeat(5_000);
    world.send(world.trigger(source, { n: 0, text }));
    request(1);
    wait(BEHIND_AFTER_MS);
    await world.step('source');
    expect([...world.objects.keys()]).toEqual([expect.stringContaining(source.id)]);
    await world.settle();
    expect(await world.emitted(source)).toEqual([0, 1]);
    expect([...world.objects.keys()]).toEqual([]);
  });

  test('stores the events of an attempt that failed in its own group under the same ids again', async () => {
    requests(0, 3);
    const { emitters } = world.services;
    const save = () => Promise.reject(new Error('the power went'));
    await world.step('source', { services: { ...world.services, emitters: { ...emitters, save } } });
    const before = await world.services.events.latest(source.id, 'default');
    expect(before).toHaveLength(3);
    wait(BEHIND_AFTER_MS);
    await world.settle();
    const after = await world.services.events.latest(source.id, 'default');
    expect(after.map(({ id, emitId }) => [id, emitId])).toEqual(before.map(({ id, emitId }) => [id, emitId]));
  });

  test('gives its events ids of about the time of their storing, however long their triggers waited', async () => {
    requests(0, 100);
    wait(BEHIND_AFTER_MS);
    runMs.value = 1_000;
    while (world.groups.source.length > 0) await world.step('source');
    wait(DAY_MS);
    await world.step('backlog');
    // A failure keeps the time of the events that it may have stored, and of no later ones.
    world.control.isBusy = true;
    await world.step('backlog');
    world.control.isBusy = false;
    await world.settle();
    const events = await world.services.events.latest(source.id, 'default');
    expect(events).toHaveLength(100);
    const lateMs = events.map(({ id, indexedAt }) => indexedAt - Number(id.split('-')[0]));
    expect(Math.max(...lateMs)).toBeLessThan(2 * SLICE_MS);
  });

  test('drops what has waited for 14 days, and says how many', async () => {
    requests(0, 25);
    wait(BEHIND_AFTER_MS);
    await world.sources.setSuspension(source.id, { since: 0 });
    while (world.groups.source.length > 0) await world.step('source');
    await world.settle();
    wait(LONGEST_WAIT_MS);
    request(25);
    await world.settle();
    await world.sources.setSuspension(source.id, undefined);
    world.send({
      kind: 'drain',
      id: 'resume',
      emitterId: source.id,
      ownerId: world.ownerId,
      at: 0,
      chain: '',
      number: 0,
    });
    await world.settle();
    expect(await world.emitted(source)).toEqual([25]);
    const [error] = await world.services.events.latest(source.id, '$errors');
    expect(JSON.parse(error?.json ?? '')).toMatchObject({
      error: { code: 'triggers_expired', message: expect.stringContaining('dropped: 25') as string },
    });
    expect(await world.backlogOf(source)).toBeUndefined();
  });
});
