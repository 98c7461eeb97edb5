import { beforeEach, describe, expect, test } from 'vitest';
import type { Source } from '../../../../../shared/domain/source/source.ts';
import { HOUR_MS } from '../../../../../shared/lib/durations.ts';
import type { DeliveryWorld } from '../../../../support/world/deliveries.ts';
import { openDeliveries } from '../../../../support/open-deliveries.ts';
import type { World } from '../../../../support/world/world.ts';

let stage: World;
let world: DeliveryWorld;
let emitter: Source;
let listener: Source;
beforeEach(async () => {
  ({ stage, world } = await openDeliveries());
  [emitter, listener] = [await stage.source(), await stage.source()];
  await world.subscribe(emitter.id, listener.id);
});

async function emit(count = 1): Promise<string[]> {
  const messages = Array.from({ length: count }, () => world.message(emitter));
  await world.deliver(messages, stage.clock.now());
  return messages.map(({ eventId }) => eventId);
}
const takeTriggers = () => world.triggers.splice(0);
/** Runs the triggers of the listener, and returns the messages of its errors, oldest first. */
async function errors(): Promise<string[]> {
  const triggers = takeTriggers();
  if (triggers.length > 0) await stage.execute(stage.received(triggers));
  const events = await stage.services.events.latest(listener.id, '$errors');
  return events.map(({ json }) => (JSON.parse(json) as { error: { message: string } }).error.message).reverse();
}

describe('events of other emitters', () => {
  test('are taken by a source until the storage of its owner is full', async () => {
    await emit(3);
    expect(takeTriggers().map(({ kind }) => kind)).toEqual(['run', 'run', 'run']);
    world.storage.isFull = true;
    await emit(3);
    expect(takeTriggers().map(({ kind }) => kind)).toEqual(['emit']);
    world.storage.isFull = false;
    await emit();
    expect(takeTriggers().map(({ kind }) => kind)).toEqual(['run']);
  });

  test('are counted when they are dropped: once an hour $errors says how many, with the first and the last id', async () => {
    world.storage.isFull = true;
    const [first] = await emit();
    const later = [...(await emit(4)), ...(await emit())];
    expect(await errors()).toEqual([expect.stringContaining(`dropped: 1. The first was ${first}, the last ${first}.`)]);
    stage.clock.advance(HOUR_MS);
    const [last] = await emit();
    await emit();
    const [, second, ...others] = await errors();
    expect(second).toContain(`dropped: 6. The first was ${later[0]}, the last ${last}.`);
    expect(others).toEqual([]);
  });

  test('that were dropped after the last report are reported when the source gets events again', async () => {
    world.storage.isFull = true;
    await emit();
    await emit(2);
    await errors();
    world.storage.isFull = false;
    await emit();
    expect((await errors()).at(-1)).toContain('dropped: 2.');
    await emit();
    expect(await errors()).toHaveLength(2);
  });

  test('are reported also while the storage is full, which drops other events of the listener', async () => {
    world.storage.isFull = true;
    await emit();
    const isFull = () => Promise.resolve(true);
    const storage = { ...stage.services.storage, isFull };
    const triggers = takeTriggers();
    await stage.execute(stage.received(triggers), { with: { ...stage.services, storage } });
    expect(await errors()).toEqual([expect.stringContaining('dropped: 1.')]);
  });

  test('leave no count of a source that was deleted', async () => {
    world.storage.isFull = true;
    await emit();
    await emit();
    await stage.sources.tombstone(listener.id);
    takeTriggers();
    const purge = { kind: 'purge', id: 'p', emitterId: listener.id, ownerId: stage.ownerId, at: 0 } as const;
    await stage.execute(stage.received([purge]));
    world.storage.isFull = false;
    await emit();
    expect(takeTriggers()).toEqual([]);
  });
});
