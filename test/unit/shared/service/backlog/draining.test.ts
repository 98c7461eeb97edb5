import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BEHIND_AFTER_MS, LONGEST_WAIT_MS } from '../../../../../shared/domain/run/backlog-limits.ts';
import type { Trigger } from '../../../../../shared/domain/run/message.ts';
import { MINUTE_MS } from '../../../../../shared/lib/durations.ts';
import type { Source } from '../../../../../shared/domain/source/source.ts';
import { LAST_SEQUENCE } from '../../../../../shared/store/emitters/backlog-item.ts';
import { ALL_BACKLOGS } from '../../../../../shared/store/emitters/run-permits.ts';
import { type BacklogWorld, backlogWorld } from '../../../../support/world/backlog.ts';
import { emits, ended } from '../../../../support/world/script.ts';

let world: BacklogWorld;
let source: Source;
/** The numbers of the runs, and the hooks, in the order of their execution. */
let order: (number | string)[];
beforeEach(async () => {
  order = [];
  world = await backlogWorld();
  world.control.script = (job) => run(job);
  source = await world.source({ hooks: ['activate', 'deactivate'] });
});
afterEach(() => world.close());

const run = (job: Parameters<BacklogWorld['control']['script']>[0], ms = 0) => {
  world.clock.advance(ms);
  if (job.kind !== 'run') {
    order.push(job.kind === 'hook' ? job.hook : job.kind);
    return [ended()];
  }
  order.push((JSON.parse(job.event) as { n: number }).n);
  return [emits(job.event), ended(ms)];
};
const requests = (first: number, count: number) => {
  for (let n = first; n < first + count; n += 1) world.send(world.trigger(source, { n }));
};
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const about = () => ({ emitterId: source.id, ownerId: world.ownerId, at: world.clock.now() });
const move = async () => {
  while (world.groups.source.length > 0) await world.step('source');
};
/** `count` triggers wait in the backlog. */
const behind = async (count: number) => {
  requests(0, count);
  world.clock.advance(BEHIND_AFTER_MS);
  await move();
};
const waiting = async () => (await world.services.backlogs.waiting([source.id])).get(source.id)?.count ?? 0;

const update = (revision: number, active = true) => world.update(source, revision, active);

describe('an update of a source that is behind', () => {
  test('is executed next, also in the middle of a slice; what waits then runs with the new code', async () => {
    await behind(30);
    let codes = '';
    world.control.script = async (job, { bundle }) => {
      const lines = run(job, 500);
      if (job.kind === 'run') codes += bundle.hash.slice(0, 1);
      if (order.length === 3) {
        await update(2);
        await move();
      }
      return lines;
    };
    await world.step('backlog');
    // A chunk starts no run after two seconds.
    expect(order.indexOf('activate')).toBeLessThanOrEqual(6);
    expect(order.indexOf('activate')).toBeGreaterThan(2);
    await world.settle();
    expect(order.filter((each) => each !== 'activate')).toEqual(numbers(30));
    expect(codes).toMatch(/^b{3,6}2{24,27}$/);
    // The next update finds none that is pending.
    await update(3);
  });

  test('that disables it lets everything wait until it is enabled again', async () => {
    await behind(5);
    await update(2, false);
    await world.settle();
    expect(order).toEqual(['deactivate']);
    expect((await world.sources.find(source.id))?.state).toBe('inactive');
    requests(5, 1);
    await world.settle();
    expect([order, await waiting()]).toEqual([['deactivate'], 6]);
    await update(3);
    await world.settle();
    expect(order).toEqual(['deactivate', 'activate', ...numbers(6)]);
    expect(await world.backlogOf(source)).toBeUndefined();
  });

  test('comes before a trigger that fails, which is then tried with the new code immediately', async () => {
    await behind(3);
    world.control.script = (job, { bundle }) => (bundle.hash.startsWith('b') ? 'unready' : run(job));
    for (let n = 0; n < 8; n += 1) {
      await world.step('backlog');
      world.clock.advance(60_000);
    }
    expect(order).toEqual([]);
    await world.step('backlog');
    await update(2);
    await move();
    await world.step('backlog');
    world.clock.advance(2_000);
    await world.step('backlog');
    expect(order).toEqual(['activate', ...numbers(3)]);
  });

  test('is executed, also when it is moved just before the backlog ends', async () => {
    await behind(3);
    let isMoved = false;
    const { waitingTriggers } = world.services;
    // The last time that the message looks for updates: all triggers have run.
    const first: typeof waitingTriggers.first = async (...input) => {
      const found = await waitingTriggers.first(...input);
      if (order.length === 3 && !isMoved) {
        isMoved = true;
        await update(2);
        await move();
      }
      return found;
    };
    await world.step('backlog', {
      services: { ...world.services, waitingTriggers: { ...waitingTriggers, first } },
    });
    await world.settle();
    expect(order).toEqual([...numbers(3), 'activate']);
    expect((await world.sources.find(source.id))?.pending).toBeUndefined();
  });

  test('of n in a row are executed in their order', async () => {
    await behind(3);
    await update(2, false);
    await move();
    const deletion: Trigger = {
      kind: 'delete-events',
      id: 'delete',
      ...about(),
      ranges: [],
    };
    world.send(deletion);
    await world.settle();
    await update(3);
    await world.settle();
    expect(order).toEqual(['deactivate', 'activate', ...numbers(3)]);
  });
});

describe('a deletion of events of a source that is behind', () => {
  test('is executed next, deletes what was stored when it was accepted, and drops nothing that waits', async () => {
    requests(0, 3);
    await world.settle();
    const [newest] = await world.services.events.latest(source.id, 'default');
    requests(3, 4);
    world.clock.advance(BEHIND_AFTER_MS);
    await move();
    if (!newest) throw new Error('No event was stored');
    world.send({
      kind: 'delete-events',
      id: 'delete',
      ...about(),
      ranges: [{ stream: 'default', to: newest.id }],
    });
    await world.settle();
    expect(order).toEqual(numbers(7));
    expect(await world.emitted(source)).toEqual([3, 4, 5, 6]);
  });
});

test('a request to drop what waits covers the triggers that are moved together with it, also while they are not counted yet', async () => {
  await behind(1);
  requests(1, 3);
  world.send({ kind: 'delete-triggers', id: 'drop', ...about() });
  const { backlogs } = world.services;
  const add: typeof backlogs.add = async (...input) => {
    world.control.isBusy = true;
    await world.step('backlog');
    world.control.isBusy = false;
    return backlogs.add(...input);
  };
  await world.step('source', { services: { ...world.services, backlogs: { ...backlogs, add } } });
  await world.settle();
  expect(order).toEqual([]);
  expect(await world.backlogOf(source)).toBeUndefined();
});

describe('a trigger of a backlog', () => {
  test('that fails is tried again with growing pauses, and set aside after twenty attempts; the others run', async () => {
    await behind(3);
    const attempts: number[] = [];
    world.control.script = (job) => {
      if (job.kind === 'run' && (JSON.parse(job.event) as { n: number }).n === 1) {
        attempts.push(world.clock.now());
        return 'unready';
      }
      return run(job);
    };
    await world.settle({ maxSteps: 2_000, idleMs: 20_000 });
    expect(order).toEqual([0, 2]);
    // One more: the first attempt was made together with the trigger before it.
    expect(attempts).toHaveLength(21);
    const pauses = attempts.slice(2).map((at, index) => Math.round((at - (attempts[index + 1] ?? 0)) / 1_000));
    expect(Math.max(...pauses)).toBeGreaterThanOrEqual(300);
    expect(world.aside.map((body) => (JSON.parse(body) as Trigger).kind)).toEqual(['run']);
    expect(await world.backlogOf(source)).toBeUndefined();
  });

  test('that ends the process each time is set aside; the others run', async () => {
    await behind(2);
    for (let receives = 0; receives < 14; receives += 1) {
      await world.step('backlog', {
        died: () => true,
        services: { ...world.services, runJobs: () => Promise.reject(new Error('died')) },
      });
      world.clock.advance(400_000);
    }
    await world.settle({ maxSteps: 2_000, idleMs: 20_000 });
    expect(world.aside).toHaveLength(1);
    expect(order).toEqual([1]);
  });

  test('that the table has removed after its time is counted among those that were dropped', async () => {
    await behind(4);
    const { next, remove } = world.services.waitingTriggers;
    await remove(source.id, (await next(source.id, { last: LAST_SEQUENCE, limit: 10 })).slice(0, 3));
    await world.settle();
    expect(order).toEqual([3]);
    const [error] = await world.services.events.latest(source.id, '$errors');
    expect(error?.json).toContain('were dropped: 3');
  });

  test('that waits for 14 days goes, but not the update that waits with it', async () => {
    await behind(2);
    await update(2);
    await move();
    world.clock.advance(LONGEST_WAIT_MS + 1);
    await world.settle();
    expect(order).toEqual(['activate']);
  });
});

describe('triggers whose messages come again', () => {
  test('after their backlog has ended begin no other one, whose first message the queue would drop as a repetition', async () => {
    requests(0, 3);
    world.clock.advance(BEHIND_AFTER_MS);
    const sendDrain: typeof world.services.sendDrain = (message) => {
      world.send(message);
      return Promise.reject(new Error('the response was lost'));
    };
    await world.step('source', { services: { ...world.services, sendDrain } });
    await world.step('backlog');
    expect(await world.backlogOf(source)).toBeUndefined();
    requests(3, 2);
    world.clock.advance(2 * MINUTE_MS);
    await world.settle();
    expect(order).toEqual(numbers(5));
    expect(await world.backlogOf(source)).toBeUndefined();
  });

  test('are counted once, also together with new ones', async () => {
    requests(0, 3);
    world.clock.advance(BEHIND_AFTER_MS);
    await world.step('source', { died: () => true });
    expect(await waiting()).toBe(3);
    requests(3, 1);
    world.clock.advance(10 * MINUTE_MS);
    await move();
    expect(await waiting()).toBe(4);
    await world.settle();
    expect(order).toEqual(numbers(4));
    expect(await world.services.events.latest(source.id, '$errors')).toEqual([]);
  });

  test('leave nothing of the backlog that ended before they were counted: they run in their own group', async () => {
    await behind(1);
    world.send(world.trigger(source, { n: 1, text: 'x'.repeat(5_000) }));
    await update(2);
    const { backlogs, waitingTriggers } = world.services;
    const add: typeof backlogs.add = async (...input) => {
      await world.step('backlog');
      return backlogs.add(...input);
    };
    await world.step('source', { services: { ...world.services, backlogs: { ...backlogs, add } } });
    expect(order).toEqual([0, 1, 'activate']);
    expect([
      await waitingTriggers.first(source.id, 10),
      await waitingTriggers.next(source.id, { last: LAST_SEQUENCE, limit: 10 }),
      [...world.objects.keys()],
    ]).toEqual([[], [], []]);
  });
});

describe('ticks of a timer', () => {
  const tick = (generation = source.generation) =>
    world.send(world.trigger(source, {}, { cause: 'timer', generation }));

  test('become one while they wait, and go on afterwards', async () => {
    source = await world.source({ timer: { intervalSeconds: 60 } });
    world.control.script = (job) => {
      order.push(job.kind === 'run' && job.event.includes('timestamp') ? 'tick' : 'request');
      return [ended()];
    };
    const request = () => world.send(world.trigger(source));
    request();
    for (let n = 0; n < 3; n += 1) tick();
    request();
    world.clock.advance(BEHIND_AFTER_MS);
    await move();
    for (let n = 0; n < 3; n += 1) {
      tick();
      await move();
    }
    expect(await waiting()).toBe(3);
    await world.settle();
    expect(order).toEqual(['request', 'tick', 'request']);
    tick();
    await world.settle();
    expect(order.at(-1)).toBe('tick');
  });

  test('that were dropped for an earlier one do not run when their message comes again after the backlog has ended', async () => {
    source = await world.source({ timer: { intervalSeconds: 60 } });
    world.control.script = () => {
      order.push('tick');
      return [ended()];
    };
    for (let n = 0; n < 2; n += 1) tick();
    world.clock.advance(BEHIND_AFTER_MS);
    await world.step('source', { limit: 1 });
    await world.step('source', { died: () => true });
    while (world.groups.backlog.length > 0) await world.step('backlog');
    expect(await world.backlogOf(source)).toBeUndefined();
    await world.settle();
    expect(order).toEqual(['tick']);
  });

  test('of a new timer are not dropped for one of the old timer, which does not run', async () => {
    source = await world.source({ timer: { intervalSeconds: 60 } }, { generation: 5 });
    tick(4);
    world.clock.advance(BEHIND_AFTER_MS);
    await move();
    tick(5);
    await world.settle();
    expect(order).toHaveLength(1);
  });
});

describe('the messages that execute a backlog', () => {
  test('wait while others execute backlogs on all instances but one; updates do not', async () => {
    await behind(3);
    const permits = world.services.slicePermits;
    const permit = await permits.take(ALL_BACKLOGS, { limit: 1, now: world.clock.now() });
    expect(await world.step('backlog')).toEqual({ completed: 0, pauseSeconds: 2 });
    await update(2);
    await move();
    world.clock.advance(2_000);
    await world.step('backlog');
    expect(order).toEqual(['activate']);
    await permits.release(ALL_BACKLOGS, permit ?? '');
    await world.settle();
    expect(order).toEqual(['activate', ...numbers(3)]);
  });

  test('begin again with the next trigger when they were lost', async () => {
    await behind(4);
    // The slice ends after two runs, and its next message is lost.
    world.control.script = (job) => run(job, 6_000);
    await world.step('backlog', { services: { ...world.services, sendDrain: () => Promise.resolve() } });
    expect(order).toEqual(numbers(2));
    world.control.script = (job) => run(job);
    requests(4, 1);
    await move();
    expect(world.groups.backlog).toEqual([]);
    world.clock.advance(16 * MINUTE_MS);
    requests(5, 1);
    await world.settle();
    expect(order).toEqual(numbers(6));
    expect(await world.backlogOf(source)).toBeUndefined();
  });

  test('begin again in another queue, whose numbers are lower, after a restoration; its triggers come after those that wait', async () => {
    requests(0, 2);
    await world.settle();
    requests(2, 3);
    world.clock.advance(BEHIND_AFTER_MS);
    await move();
    world.loseQueue();
    world.clock.advance(16 * 60_000);
    requests(5, 3);
    await move();
    await update(2);
    await world.settle();
    expect(order).toEqual([0, 1, 'activate', 2, 3, 4, 5, 6, 7]);
    requests(8, 2);
    await world.settle();
    expect(order.slice(9)).toEqual([8, 9]);
    expect(await world.backlogOf(source)).toBeUndefined();
  });

  test('that ended before they removed what they had counted neither execute nor count it again', async () => {
    await behind(30);
    const { waitingTriggers } = world.services;
    let isDead = false;
    const remove = () => {
      isDead = true;
      return Promise.reject(new Error('died'));
    };
    await world.step('backlog', {
      services: { ...world.services, waitingTriggers: { ...waitingTriggers, remove } },
      died: () => isDead,
    });
    expect(await waiting()).toBe(20);
    world.clock.advance(10 * MINUTE_MS);
    world.control.isBusy = true;
    await world.step('backlog');
    expect([order, await waiting()]).toEqual([numbers(10), 20]);
  });

  test('repeat no event of triggers that failed together, and run in smaller parts afterwards', async () => {
    await behind(35);
    const { emitters } = world.services;
    const save = (...input: Parameters<typeof emitters.save>) =>
      order.length > 10 ? Promise.reject(new Error('the power went')) : emitters.save(...input);
    // The first ten are saved; the events of the next twenty are stored only.
    await world.step('backlog', { services: { ...world.services, emitters: { ...emitters, save } } });
    expect(order).toEqual(numbers(30));
    await world.settle();
    expect(await world.emitted(source)).toEqual(numbers(35));
  });

  test('that come twice execute nothing twice', async () => {
    await behind(30);
    const [first] = world.groups.backlog;
    if (!first) throw new Error('No message was sent');
    world.groups.backlog.push({ ...first }, { ...first });
    await world.settle();
    expect(order).toEqual(numbers(30));
  });

  test('of a backlog that has ended are void', async () => {
    await behind(3);
    const [first] = world.groups.backlog;
    await world.settle();
    if (!first) throw new Error('No message was sent');
    requests(3, 3);
    world.clock.advance(BEHIND_AFTER_MS);
    await move();
    world.groups.backlog.unshift({ ...first, visibleAt: 0 });
    expect(await world.step('backlog', { limit: 1 })).toEqual({ completed: 1 });
    expect(order).toEqual(numbers(3));
    await world.settle();
    expect(order).toEqual(numbers(6));
  });
});

test('a trigger that is moved costs about two write units more than one that is not', async () => {
  const unitsOf = async (isBehind: boolean) => {
    source = await world.source();
    order = [];
    const before = world.units.write;
    requests(0, 200);
    if (isBehind) world.clock.advance(BEHIND_AFTER_MS);
    if (isBehind) {
      await move();
      expect((world.units.write - before) / 200).toBeCloseTo(1.1);
    }
    await world.settle();
    expect(order).toEqual(numbers(200));
    return (world.units.write - before) / 200;
  };
  const more = (await unitsOf(true)) - (await unitsOf(false));
  expect(more).toBeGreaterThan(1.5);
  expect(more).toBeLessThan(2.2);
});
