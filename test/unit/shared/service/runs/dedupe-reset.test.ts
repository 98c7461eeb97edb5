import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Trigger } from '../../../../../shared/domain/run/message.ts';
import type { Source } from '../../../../../shared/domain/source/source.ts';
import { executeSynchronously } from '../../../../../shared/service/runs/synchronous-run.ts';
import { emits, ended } from '../../../../support/world/script.ts';
import { type World, openWorld } from '../../../../support/world/world.ts';

let stage: World;
beforeEach(async () => {
  stage = await openWorld();
  await stage.user();
  // Each run emits the ids that its event names.
  stage.control.script = (job) => [
    ...(JSON.parse((job as { event: string }).event) as number[]).map((id) => emits(`{"id":${id}}`, { id })),
    ended(),
  ];
});
afterEach(() => stage.close());

let resets = 0;
const reset = ({ id }: Source): Trigger => ({
  kind: 'reset-dedupe',
  id: `reset-dedupe-${(resets += 1)}`,
  emitterId: id,
  ownerId: stage.ownerId,
  at: stage.clock.now(),
});
const run = (source: Source, ...ids: number[]): Trigger => stage.trigger(source, ids);
const execute = async (...triggers: Trigger[]) => {
  const received = stage.received(triggers);
  const { completed, error } = await stage.execute(received);
  expect({ completed, error }).toEqual({ completed: triggers.length, error: undefined });
  return received;
};
const emittedIds = async ({ id }: Source) =>
  (await stage.services.events.latest(id, 'default'))
    .map(({ json }) => (JSON.parse(json) as { id: number }).id)
    .reverse();

describe('after a reset of its dedupe', () => {
  test.each([
    ['unique', [5, 7], [5, 7, 5, 7]],
    ['greatest', [1_000, 3], [1_000, 3]],
    ['last', [5, 7], [5, 7, 5, 7]],
  ] as const)('a source with %s emits again what it emitted before', async (dedupe, ids, expected) => {
    const source = await stage.source({ dedupe });
    if (dedupe === 'greatest') {
      await execute(run(source, 1_000), run(source, 3), reset(source), run(source, 3));
    } else {
      await execute(run(source, ...ids), run(source, ...ids), reset(source), run(source, ...ids));
    }
    expect(await emittedIds(source)).toEqual(expected);
  });

  test('events accepted before it were deduplicated, in order, also in one batch', async () => {
    const source = await stage.source({ dedupe: 'unique' });
    await execute(run(source, 1), run(source, 1), run(source, 2), reset(source), run(source, 2), run(source, 2));
    expect(await emittedIds(source)).toEqual([1, 2, 2]);
  });

  test('a message that comes twice resets once', async () => {
    const source = await stage.source({ dedupe: 'unique' });
    const received = await execute(run(source, 1), reset(source), run(source, 1));
    await stage.execute(received);
    expect(await emittedIds(source)).toEqual([1, 1]);
  });

  test('a synchronous run that began before brings no earlier id back', async () => {
    const source = await stage.source({ dedupe: 'greatest' });
    await execute(run(source, 1_000));
    const { emitters } = stage.services;
    let isReset = false;
    const overtaken = {
      ...stage.services,
      emitters: {
        ...emitters,
        save: async (save: Parameters<typeof emitters.save>[0]) => {
          if (!isReset) {
            isReset = true;
            await execute(reset(source));
          }
          return emitters.save(save);
        },
      },
    };
    await executeSynchronously(stage.synchronous(overtaken), stage.trigger(source, [2_000]), {
      json: '[2000]',
    });
    await execute(run(source, 3));
    expect((await emittedIds(source)).sort((a, b) => a - b)).toEqual([3, 1_000, 2_000]);
  });

  test('a synchronous run that overtakes it keeps its ids from coming back, too', async () => {
    const source = await stage.source({ dedupe: 'greatest' });
    await execute(run(source, 1_000));
    const { emitters } = stage.services;
    let isOvertaken = false;
    const overtaken = {
      ...stage.services,
      emitters: {
        ...emitters,
        save: async (save: Parameters<typeof emitters.save>[0]) => {
          if (!isOvertaken) {
            isOvertaken = true;
            await executeSynchronously(stage.synchronous(), stage.trigger(source, [2_000]), {
              json: '[2000]',
            });
          }
          return emitters.save(save);
        },
      },
    };
    const [received] = stage.received([reset(source)]);
    await stage.execute(received ? [received] : [], { with: overtaken });
    await execute(run(source, 3));
    expect((await emittedIds(source)).sort((a, b) => a - b)).toEqual([3, 1_000, 2_000]);
  });

  test('events, db and other state are as before', async () => {
    const source = await stage.source({ dedupe: 'unique' });
    await execute(run(source, 1));
    const { state: before } = await stage.services.emitters.load(source.id);
    await execute(reset(source));
    const { state: after } = await stage.services.emitters.load(source.id);
    expect(after).toMatchObject({ counts: before.counts, bytes: before.bytes, runs: before.runs });
    expect(after.dedupe.ids).toHaveLength(0);
  });
});

test('the reset of a source that was deleted meanwhile does nothing', async () => {
  const source = await stage.source({ dedupe: 'unique' });
  await execute(run(source, 1));
  await stage.sources.tombstone(source.id);
  await execute(reset(source));
  expect((await stage.services.emitters.load(source.id)).state.dedupe.ids).not.toHaveLength(0);
});
