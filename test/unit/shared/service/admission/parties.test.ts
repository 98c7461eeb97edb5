import { afterEach, beforeEach, expect, test } from 'vitest';
import { WorkflowId } from '../../../../../shared/domain/id.ts';
import { createParties } from '../../../../../shared/service/admission/parties.ts';
import { sourceUsageOf } from '../../../../../shared/service/metrics/source-usage.ts';
import { metricStore } from '../../../../../shared/store/users/metrics.ts';
import { userEmitters } from '../../../../../shared/store/users/user-emitters.ts';
import { workflowStore } from '../../../../../shared/store/emitters/workflows.ts';
import { tallyOfRuns } from '../../../../../shared/domain/metrics/tally.ts';
import { ended } from '../../../../support/world/script.ts';
import { type World, openWorld } from '../../../../support/world/world.ts';

let stage: World;
beforeEach(async () => {
  stage = await openWorld();
  await stage.user();
});
afterEach(() => stage.close());

const addWorkflow = (id: string) =>
  workflowStore(stage.table).create({
    id: WorkflowId.parse(id),
    ownerId: stage.ownerId,
    name: id,
    target: 'https://w.example',
    credentialHash: '',
    secret: '',
    createdAt: 0,
  });

test('a user with one source has an only source, which is no only emitter beside a workflow', async () => {
  await stage.source();
  const parties = () => createParties(userEmitters(stage.table), stage.services.now);
  expect(await parties().isOnlySource(stage.ownerId)).toBe(true);
  expect(await parties().isOnlyEmitter(stage.ownerId)).toBe(true);
  await addWorkflow('p_1');
  expect(await parties().isOnlySource(stage.ownerId)).toBe(true);
  expect(await parties().isOnlyEmitter(stage.ownerId)).toBe(false);
});

test('a second source counts within a minute, and asking costs one read a minute', async () => {
  const first = await stage.source();
  const parties = createParties(userEmitters(stage.table), stage.services.now);
  expect(await parties.isOnlySource(stage.ownerId)).toBe(true);
  await stage.source();
  const before = stage.units.read;
  expect(await parties.isOnlySource(stage.ownerId)).toBe(true);
  expect(stage.units.read).toBe(before);
  stage.clock.advance(60_000);
  expect(await parties.isOnlySource(stage.ownerId)).toBe(false);
  await stage.sources.tombstone(first.id);
  stage.clock.advance(60_000);
  expect(await parties.isOnlySource(stage.ownerId)).toBe(true);
});

test('the usage of a source on a day is that of its metrics, summed hours and minutes of today only', async () => {
  const metrics = metricStore(stage.table);
  const source = await stage.source();
  const usage = () => sourceUsageOf(metrics)(source.id, stage.clock.now());
  stage.clock.advance(86_400_000 - (stage.clock.now() % 86_400_000) - 60_000);
  await metrics.add(source.id, stage.clock.now(), tallyOfRuns({ runs: 7, computeMs: 70, events: 0, errors: 0 }));
  expect(await usage()).toEqual({ invocations: 7, computeMs: 70 });
  stage.clock.advance(60_000);
  expect(await usage()).toEqual({ invocations: 0, computeMs: 0 });
  const hour = tallyOfRuns({ runs: 100, computeMs: 1_000, events: 0, errors: 0 });
  await metrics.putSum(source.id, 'hour', stage.clock.now(), hour);
  stage.clock.advance(3_600_000);
  stage.control.script = () => [ended(30)];
  await stage.execute(stage.received([stage.trigger(source), stage.trigger(source)]));
  expect(await usage()).toEqual({ invocations: 102, computeMs: 1_060 });
});
