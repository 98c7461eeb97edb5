import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ServiceError } from '../../../../../shared/domain/errors.ts';
import type { Source } from '../../../../../shared/domain/source/source.ts';
import { limitConcurrentRuns } from '../../../../../shared/service/runs/concurrent-runs.ts';
import { runPermitStore } from '../../../../../shared/store/emitters/run-permits.ts';
import { ended } from '../../../../support/world/script.ts';
import { type World, openWorld } from '../../../../support/world/world.ts';

let stage: World;
beforeEach(async () => {
  stage = await openWorld();
});
afterEach(() => stage.close());

/** The services of run-source, with one place per user. */
function limited() {
  const permits = runPermitStore(stage.table, (bytes) => randomBytes(bytes));
  const { services } = stage;
  const isOnlySource = () => Promise.resolve(false);
  const runJobs = limitConcurrentRuns(services.runJobs, {
    permits,
    limit: 1,
    isOnlySource,
    now: services.now,
  });
  return { permits, services: { ...services, runJobs } };
}

const run = (source: Source, services: World['services'], more = {}) =>
  stage.execute(stage.received([stage.trigger(source)], more), { with: services });

/** A source whose last run took this long. */
async function ran(ms: number, services: World['services']): Promise<Source> {
  const source = await stage.source();
  stage.control.script = () => [ended(ms)];
  expect(await run(source, services)).toEqual({ completed: 1 });
  return source;
}

const overloaded = { completed: 0, error: expect.objectContaining({ code: 'overloaded' }) as ServiceError };

describe('while all places of a user are taken', () => {
  test('a source with long runs, and one that never ran, give their triggers back without starting them', async () => {
    const { permits, services } = limited();
    const slow = await ran(3_000, services);
    const fresh = await stage.source();
    await permits.take(stage.ownerId, { limit: 1, now: services.now() });
    const before = stage.requests.length;

    expect(await run(slow, services)).toEqual(overloaded);
    expect(await run(fresh, services)).toEqual(overloaded);
    expect(stage.requests).toHaveLength(before);
  });

  test('a source with short runs goes on, and takes no place', async () => {
    const { permits, services } = limited();
    const quick = await ran(20, services);
    await permits.take(stage.ownerId, { limit: 1, now: services.now() });
    const before = stage.units.write;

    expect(await run(quick, services)).toEqual({ completed: 1 });
    // State and usage, as without a limit.
    expect(stage.units.write - before).toBe(2);
  });

  test('a trigger that has waited for half an hour runs, so that it does not become a dead letter', async () => {
    const { permits, services } = limited();
    const slow = await ran(3_000, services);
    await permits.take(stage.ownerId, { limit: 1, now: services.now() });

    expect(await run(slow, services, { receiveCount: 11 })).toEqual(overloaded);
    expect(await run(slow, services, { receiveCount: 12 })).toEqual({ completed: 1 });
  });
});

test('a run gives its place back, also when it fails, and also when the runner does', async () => {
  const { services } = limited();
  for (const script of [() => [ended(2_000)], () => 'lost' as const, () => 'unready' as const]) {
    stage.control.script = script;
    await run(await stage.source(), services);
  }
  stage.control.isBusy = true;
  await run(await stage.source(), services);
  stage.control.isBusy = false;

  expect(await ran(2_000, services)).toBeDefined();
});
