import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DeleteTriggersTrigger } from '../../../../../shared/domain/run/message.ts';
import { BEHIND_AFTER_MS } from '../../../../../shared/domain/run/backlog-limits.ts';
import type { Source } from '../../../../../shared/domain/source/source.ts';
import { type BacklogWorld, backlogWorld } from '../../../../support/world/backlog.ts';
import { emits, ended } from '../../../../support/world/script.ts';

let world: BacklogWorld;
let source: Source;
beforeEach(async () => {
  world = await backlogWorld();
  world.control.script = (job) => [emits(job.kind === 'run' ? job.event : '{}'), ended()];
  source = await world.source();
});
afterEach(() => world.close());

const requests = (first: number, count: number) => {
  for (let n = first; n < first + count; n += 1)
    world.send(world.trigger(source, { n }, { id: `api-${n}`, cause: 'api' }));
};
const dropWaiting = (id = 'drop-1') => {
  const trigger: DeleteTriggersTrigger = {
    kind: 'delete-triggers',
    id,
    emitterId: source.id,
    ownerId: world.ownerId,
    at: world.clock.now(),
  };
  world.send(trigger);
};
const moveAll = async () => {
  while (world.groups.source.length > 0) await world.step('source');
};
const errors = async () => {
  const events = await world.services.events.latest(source.id, '$errors');
  return events.map(({ json }) => (JSON.parse(json) as { error: { code: string; message: string } }).error);
};
const stateOf = async (id: string) => {
  const found = await world.services.runRecords.find(source.id, id);
  return found && 'state' in found ? found.state : undefined;
};

describe('the deletion of the triggers of a source', () => {
  test('drops what was accepted before it and does not run; what came later runs', async () => {
    requests(0, 25);
    world.clock.advance(BEHIND_AFTER_MS);
    dropWaiting();
    requests(25, 2);
    await moveAll();
    await world.settle();
    expect(await world.emitted(source)).toEqual([25, 26]);
    expect(await errors()).toEqual([
      expect.objectContaining({
        code: 'triggers_dropped',
        message: expect.stringMatching(/: 25$/) as string,
      }),
    ]);
    expect(await world.backlogOf(source)).toBeUndefined();
  });

  test('gives each of them the state skipped, also a requested run that had none before', async () => {
    requests(0, 3);
    for (const n of [0, 1, 2])
      await world.services.runRecords.request(source.id, { id: `api-${n}`, receivedAt: world.clock.now() });
    world.clock.advance(BEHIND_AFTER_MS);
    dropWaiting();
    await moveAll();
    await world.settle();
    expect(await Promise.all([0, 1, 2].map((n) => stateOf(`api-${n}`)))).toEqual(['skipped', 'skipped', 'skipped']);
  });

  test('drops 500 with one event, whatever the slices', async () => {
    requests(0, 500);
    world.clock.advance(BEHIND_AFTER_MS);
    dropWaiting();
    await moveAll();
    await world.settle();
    expect(world.requests).toEqual([]);
    expect((await errors()).map(({ message }) => message)).toEqual([expect.stringMatching(/: 500$/)]);
    expect(await stateOf('api-499')).toBe('skipped');
  });

  test('takes effect although the first trigger fails again and again, and waits', async () => {
    requests(0, 12);
    world.clock.advance(BEHIND_AFTER_MS);
    await moveAll();
    world.control.isBusy = true;
    for (let n = 0; n < 5; n += 1) {
      await world.step('backlog');
      world.clock.advance(2_000);
    }
    dropWaiting();
    await moveAll();
    world.clock.advance(2_000);
    for (let n = 0; n < 3 && (await world.backlogOf(source)); n += 1) {
      await world.step('backlog');
      world.clock.advance(2_000);
    }
    expect(await world.backlogOf(source)).toBeUndefined();
    expect((await errors()).at(-1)).toMatchObject({ code: 'triggers_dropped' });
  });

  test('keeps updates that wait: they are executed, and later triggers run with them', async () => {
    requests(0, 12);
    world.clock.advance(BEHIND_AFTER_MS);
    const plain = await world.sources.change(source, {
      configuration: source.configuration,
      pending: {
        revision: 7,
        since: world.clock.now(),
        triggerId: 'life-1',
        configuration: { ...source.configuration, bundleHash: 'n'.repeat(64) },
        traits: source.traits,
        hooks: [],
      },
      updatedAt: source.updatedAt,
    });
    expect(plain).toBeDefined();
    world.send({
      kind: 'lifecycle',
      id: 'life-1',
      emitterId: source.id,
      ownerId: world.ownerId,
      at: world.clock.now(),
      revision: 7,
    });
    dropWaiting();
    requests(12, 1);
    await moveAll();
    await world.settle();
    expect(await world.emitted(source)).toEqual([12]);
    const { source: updated } = await world.services.emitters.load(source.id);
    expect(updated?.configuration.bundleHash).toBe('n'.repeat(64));
    expect(updated?.pending).toBeUndefined();
  });

  test.each(['disabled', 'suspended'])('takes effect while the source is %s', async (off) => {
    if (off === 'disabled') source = await world.source({}, { state: 'inactive' });
    else await world.sources.setSuspension(source.id, { since: 0 });
    requests(0, 12);
    world.clock.advance(BEHIND_AFTER_MS);
    await moveAll();
    await world.settle();
    expect(await world.backlogOf(source)).toMatchObject({ moved: { count: 12 }, drained: { count: 0 } });
    dropWaiting();
    await moveAll();
    await world.settle();
    expect(world.requests).toEqual([]);
    expect(await world.backlogOf(source)).toMatchObject({ drained: { count: 12, isWaiting: true } });
    expect(await errors()).toHaveLength(1);
  });

  test('leaves chunks that one transaction can save: 300 requested runs wait and run', async () => {
    requests(0, 300);
    for (let n = 0; n < 300; n += 1)
      await world.services.runRecords.request(source.id, { id: `api-${n}`, receivedAt: world.clock.now() });
    world.clock.advance(BEHIND_AFTER_MS);
    await moveAll();
    await world.settle();
    expect(await stateOf('api-299')).toBe('done');
    expect(await world.backlogOf(source)).toBeUndefined();
    expect(await errors()).toEqual([]);
  });

  test('twice says the total once, and without a backlog it drops and says nothing', async () => {
    requests(0, 12);
    world.clock.advance(BEHIND_AFTER_MS);
    dropWaiting('drop-1');
    dropWaiting('drop-2');
    await moveAll();
    await world.settle();
    expect(await errors()).toHaveLength(1);
    requests(12, 3);
    dropWaiting('drop-3');
    await world.settle();
    expect(await world.emitted(source)).toEqual([12, 13, 14]);
    expect(await errors()).toHaveLength(1);
  });
});
