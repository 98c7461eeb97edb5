import { basename } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Concurrency, executionsOf } from '../../infra/concurrency.ts';
import { assemblyWith } from '../support/assembly-with.ts';
import { Receiver } from '../support/receiver.ts';
import { type Deployed, type Hook, Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

const SOURCES = 12;
const EVENTS = 3;
/** Functions that only queues start, and the runner. */
const OF_QUEUES = new Set(['run-source', 'deliver-event', 'retry-delivery', 'jobs', 'runner']);

const SLOW = `export default {
  name: 'Slow', version: '0.0.1', props: { http: '$.interface.http' },
  async run({ body }) { await new Promise((resolve) => setTimeout(resolve, 50)); this.$emit(body); },
};`;

let scene: Scene;
let sources: Deployed[];
let hook: Hook;
beforeAll(async () => {
  scene = await Scene.open({ assembly: assemblyWith({ concurrency: 'small' }) });
  hook = await scene.webhook(await Receiver.start());
  sources = await Promise.all(Array.from({ length: SOURCES }, () => scene.source(SLOW)));
  for (const { id } of sources) await scene.subscribe(id, hook.id);
});
afterAll(async () => {
  await scene.close();
  await hook.receiver.stop();
});

/** The highest number of concurrent executions, of the runner and of all functions that queues start. */
function countPeaks(): { runner: number; all: number } {
  const peaks = { runner: 0, all: 0 };
  const { functions, open } = scene.cloud.cloud;
  const nameOf = new Map(
    [...functions.values()].map(({ spec }) => [spec.name, basename(assemblyWith({}).assets.get(spec.assetKey) ?? '')]),
  );
  const counted = [...functions.values()].filter(({ spec }) => OF_QUEUES.has(nameOf.get(spec.name) ?? ''));
  const runner = functions.get(open.outputs['RunnerFunction'] ?? '');
  for (const host of counted) {
    const invoke = host.invoke.bind(host);
    host.invoke = (invocation) => {
      const outcome = invoke(invocation);
      peaks.all = Math.max(
        peaks.all,
        counted.reduce((sum, { running }) => sum + running, 0),
      );
      peaks.runner = Math.max(peaks.runner, runner?.running ?? 0);
      return outcome;
    };
  }
  expect(counted).toHaveLength(OF_QUEUES.size);
  return peaks;
}

test('the preset small stays within its sum of executions, and every source gets its runs', async () => {
  const small = Concurrency.parse('small');
  const peaks = countPeaks();
  await Promise.all(
    sources.flatMap(({ endpoint }) => Array.from({ length: EVENTS }, (_, n) => scene.send(endpoint, { n }))),
  );
  for (const { id } of sources) await scene.eventsOf(id, EVENTS);
  await until('every event is delivered', () => hook.receiver.received.length >= SOURCES * EVENTS);
  expect(peaks.runner).toBeLessThanOrEqual(small.runs * small.runnersPerBatch);
  // The queues were busy: more than one batch ran at the same time.
  expect(peaks.runner).toBe(2);
  expect(peaks.all).toBeLessThanOrEqual(executionsOf(small));
  expect(executionsOf(small)).toBeLessThanOrEqual(10);
});
