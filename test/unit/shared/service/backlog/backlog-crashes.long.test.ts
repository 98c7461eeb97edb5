import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BEHIND_AFTER_MS } from '../../../../../shared/domain/run/backlog-limits.ts';
import type { Source } from '../../../../../shared/domain/source/source.ts';
import { LAST_SEQUENCE } from '../../../../../shared/store/emitters/backlog-item.ts';
import { emitterPartition } from '../../../../../shared/store/table/keys.ts';
import { wholePartition, queryAll } from '../../../../../shared/store/table/table-client.ts';
import { type BacklogWorld, backlogWorld } from '../../../../support/world/backlog.ts';
import { dyingProcess } from '../../../../support/dying-process.ts';
import { emits, ended } from '../../../../support/world/script.ts';
import { seededRandom } from '../../../../support/seeded-random.ts';

let world: BacklogWorld;
let order: number[];
beforeEach(async () => {
  world = await backlogWorld();
  world.control.script = (job) => {
    if (job.kind !== 'run') return [ended()];
    order.push((JSON.parse(job.event) as { n: number }).n);
    return [emits(job.event), ended()];
  };
});
afterEach(() => world.close());

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

async function behind(count: number): Promise<Source> {
  order = [];
  const source = await world.source();
  for (let n = 0; n < count; n += 1)
    world.send(world.trigger(source, { n, ...(n % 5 === 0 ? { text: 'x'.repeat(5_000) } : {}) }));
  world.clock.advance(BEHIND_AFTER_MS);
  return source;
}

/** A trigger whose results were not saved may run again; what comes after it has not run before. */
const isInOrder = (runs: readonly number[]) => runs.every((n, index) => index === 0 || n <= (runs[index - 1] ?? 0) + 1);

async function expectNothingLost(source: Source, count: number, about: string) {
  expect(await world.emitted(source), about).toEqual(numbers(count));
  expect(isInOrder(order), `${about}: ${order.join()}`).toBe(true);
  expect(await world.backlogOf(source), about).toBeUndefined();
  expect(await world.services.waitingTriggers.next(source.id, { last: LAST_SEQUENCE, limit: 10 })).toEqual([]);
  expect([...world.objects.keys()], about).toEqual([]);
  expect(await world.services.events.latest(source.id, '$errors'), about).toEqual([]);
}

describe.each(['before', 'after'] as const)('a process that dies %s a call', (death) => {
  const COUNT = 13;

  /** Executes the two groups with one death, for each call at which it may be. */
  async function dieAtEach(
    begin: () => Promise<Source>,
    expectAll: (source: Source, about: string) => Promise<void>,
  ): Promise<void> {
    for (let dyingCall = 0; ; dyingCall += 1) {
      const source = await begin();
      let name = '';
      let calls = 0;
      for (let steps = 0; world.groups.source.length + world.groups.backlog.length > 0; steps += 1) {
        if (steps > 200) throw new Error(`The groups do not become empty after a death at ${name}`);
        const process = dyingProcess(world.services, {
          diesAt: (operation) => {
            if (calls++ !== dyingCall) return undefined;
            ({ name } = operation);
            return death;
          },
        });
        const group = steps % 2 === 0 ? 'source' : 'backlog';
        await world.step(group, { ...process, limit: 5 });
        if (steps % 2 === 1) world.clock.advance(10_000);
      }
      await expectAll(source, `death ${death} call ${dyingCall}, ${name}`);
      if (calls <= dyingCall) break;
    }
  }

  test('loses no trigger, repeats no event, keeps the order and counts what is stored, whichever call it is', async () => {
    await dieAtEach(
      () => {
        world.control.script = (job) => {
          if (job.kind !== 'run') return [ended()];
          order.push((JSON.parse(job.event) as { n: number }).n);
          // A run that is repeated emits another event.
          return [emits(job.event), emits('{}', { name: `stream ${order.length}` }), ended()];
        };
        return behind(COUNT);
      },
      async (source, about) => {
        await expectNothingLost(source, COUNT, about);
        const { streams, refs } = world.services.events;
        const stored = await Promise.all((await streams(source.id)).map((stream) => refs(source.id, stream)));
        const bytes = stored.flat().reduce((sum, event) => sum + event.bytes, 0);
        expect((await world.stored()).byEmitter.get(source.id), about).toBe(bytes);
      },
    );
  });

  test('repeats no event of a larger chunk, which the next message executes in smaller ones', async () => {
    await dieAtEach(
      async () => {
        const source = await behind(35);
        while (world.groups.source.length > 0) await world.step('source');
        return source;
      },
      (source, about) => expectNothingLost(source, 35, about),
    );
  });

  test('executes an update once more at most, and what waits in order', async () => {
    let hooks = 0;
    await dieAtEach(
      async () => {
        hooks = 0;
        world.control.script = (job) => {
          if (job.kind === 'run') order.push((JSON.parse(job.event) as { n: number }).n);
          else hooks += 1;
          return [emits(job.kind === 'run' ? job.event : '{"n":-1}'), ended()];
        };
        const source = await behind(8);
        await world.step('source');
        await world.update(source, 2);
        return source;
      },
      async (source, about) => {
        const emitted = new Set(await world.emitted(source));
        expect([emitted.delete(-1), ...emitted], about).toEqual([true, ...numbers(8)]);
        expect(isInOrder(order), `${about}: ${order.join()}`).toBe(true);
        expect([hooks === 1 || hooks === 2, (await world.sources.find(source.id))?.pending], about).toEqual([
          true,
          undefined,
        ]);
        expect(await world.backlogOf(source), about).toBeUndefined();
      },
    );
  });

  test('drops on request what has not run, says how many, and runs what came later', async () => {
    await dieAtEach(
      async () => {
        const source = await behind(13);
        const { id: emitterId, ownerId } = source;
        world.send({ kind: 'delete-triggers', id: `drop-${emitterId}`, emitterId, ownerId, at: 0 });
        for (const n of [13, 14]) world.send(world.trigger(source, { n }));
        return source;
      },
      async (source, about) => {
        const ran = new Set(await world.emitted(source));
        expect(
          [...ran].filter((n) => n > 12),
          about,
        ).toEqual([13, 14]);
        const counts = (await world.services.events.latest(source.id, '$errors')).map(({ json }) =>
          Number(/triggers_dropped.*: (\d+)"/.exec(json)?.[1]),
        );
        // A crash repeats the report, or counts a trigger whose run was saved and not counted.
        const notRun = numbers(13).filter((n) => !ran.has(n)).length;
        for (const count of counts) expect(count, about).toBeGreaterThanOrEqual(notRun);
        expect([counts.length === 1 || counts.length === 2, Math.max(...counts) <= 13], about).toEqual([true, true]);
        expect(await world.backlogOf(source), about).toBeUndefined();
        expect([...world.objects.keys()], about).toEqual([]);
      },
    );
  });

  test('removes a deleted source with everything that waits for it', async () => {
    await dieAtEach(
      async () => {
        const source = await behind(7);
        await world.step('source');
        await world.sources.tombstone(source.id);
        world.send({ kind: 'purge', id: source.id, emitterId: source.id, ownerId: world.ownerId, at: 0 });
        return source;
      },
      async (source, about) => {
        const left = await queryAll(world.table, wholePartition(emitterPartition(source.id)));
        expect(
          left.map(({ sk }) => sk),
          about,
        ).toEqual([]);
        expect([...world.objects.keys()], about).toEqual([]);
      },
    );
  });
});

describe('the two groups of a source at the same time', () => {
  const SEEDS = Array.from({ length: 12 }, (_, seed) => seed);

  test.each(SEEDS)(
    'lose no trigger and no update and keep the order, also when processes die, with seed %i',
    async (seed) => {
      const random = seededRandom(seed * 7919 + 1);
      const pause = async () => {
        for (let ticks = Math.floor(random() * 4); ticks > 0; ticks -= 1)
          await new Promise((resolve) => setImmediate(resolve));
      };
      const source = await behind(20);
      let sent = 20;
      let left = 40;
      const execute = async (group: 'source' | 'backlog') => {
        while (left > 0 || world.groups.source.length + world.groups.backlog.length > 0) {
          if (group === 'source' && left > 0 && random() < 0.5) {
            world.send(world.trigger(source, { n: sent }));
            sent += 1;
            left -= 1;
            const current = left % 5 === 0 ? await world.sources.find(source.id) : undefined;
            if (current && !current.pending) await world.update(source, 100 - left);
          }
          const isDying = random() < 0.15;
          const dyingCall = Math.floor(random() * 12);
          const process = dyingProcess(world.services, {
            pause,
            diesAt: ({ index }) => (isDying && index === dyingCall ? (random() < 0.5 ? 'before' : 'after') : undefined),
          });
          await world.step(group, { ...process, limit: 1 + Math.floor(random() * 10) });
          if (random() < 0.3) world.clock.advance(Math.floor(random() * 120_000));
          await pause();
        }
      };
      await Promise.all([execute('source'), execute('backlog')]);
      await world.settle();
      await expectNothingLost(source, 60, `seed ${seed}`);
      expect((await world.sources.find(source.id))?.pending, `seed ${seed}`).toBeUndefined();
    },
  );
});
