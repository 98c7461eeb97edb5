import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Deployed } from '../../support/scene.ts';
import { until } from '../../support/until.ts';
import { chosen, type Delivery, type HookScenario, type Registered } from './scenario.ts';
import { expectSatisfied, TestStage } from './stage.ts';
import { matches, type Upstream } from './stand-in.ts';
import { hookScenarios as all } from './stand-ins/hooks.ts';

/**
 * Untouched components that register their endpoint: each is deployed, gets a delivery, one after a restart of the service, and one
 * that its upstream never sent; then it is deleted. Its stand-in takes no request that its upstream would not have taken.
 */
const hookScenarios = chosen(all);
// Titles in full: the report about all components reads them.
const named = hookScenarios.map((scenario) => [scenario.component, scenario] as const);
let stage: TestStage;
interface Tried {
  upstream: Upstream;
  source: Deployed;
  known: Registered;
}
const tried = new Map<HookScenario, Tried>();
const of = (scenario: HookScenario): Tried => {
  const found = tried.get(scenario);
  if (!found) throw new Error('It was not deployed.');
  return found;
};

beforeAll(async () => {
  stage = await TestStage.open(hookScenarios);
});
afterAll(() => stage.close());

const send = (endpoint: string, { path = '', headers, body }: Delivery) =>
  fetch(`${endpoint}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

async function deliver(scenario: HookScenario, n: number): Promise<void> {
  const { known, source } = of(scenario);
  const response = await send(known.endpoint, scenario.delivery(n, known));
  expect(response.status).toBe(scenario.responses?.status ?? 200);
  const text = await response.text();
  expect(matches(scenario.responses?.text ?? /^/, text), text).toBe(true);
  const emitted = await stage.scene
    .eventsOf(source.id, n, { expand: 'event' })
    .catch(async (error: unknown) => {
      const errors = await stage.scene.events(source.id, { event_name: '$errors', expand: 'event' });
      throw new Error(`${String(error)}; $errors: ${JSON.stringify(errors.map(({ event }) => event.error))}`);
    });
  expect(emitted).toHaveLength(n);
  const [newest] = emitted;
  const { summary, event } = scenario.emits(n);
  if (summary !== undefined) expect(newest?.metadata.summary).toBe(summary);
  expect(matches(event, newest?.event), JSON.stringify(newest?.event)).toBe(true);
}

describe.each(named)('%s', (_, scenario) => {
  test('registers its endpoint', async () => {
    const upstream = stage.standIns.upstream(scenario.host);
    // The upstream learns the endpoint from the request: it must be the one that the response then shows.
    const seen = new Set<string>();
    upstream.rules = scenario.activate((suffix = '') => (value) => {
      if (typeof value !== 'string' || !value.startsWith('http') || !value.endsWith(suffix)) return false;
      seen.add(value.slice(0, value.length - suffix.length));
      return true;
    });
    const source = await stage.deploy(scenario).catch((error: unknown) => {
      throw new Error(`${String(error)}; ${upstream.wrong.join('\n')}`);
    });
    const { endpoint } = source;
    expect([...seen]).toEqual([endpoint]);
    expectSatisfied(upstream);
    const call = (rule: string) => {
      const [first] = upstream.calls(rule);
      if (!first) throw new Error(`There was no call of ${rule}.`);
      return first;
    };
    upstream.rules = scenario.lookups ?? [];
    tried.set(scenario, { upstream, source, known: { endpoint, call } });
  });

  test('emits what its upstream delivers', () => deliver(scenario, 1));

  const { wrong } = scenario;
  if (!wrong) return;
  test('emits nothing for the request of another sender', async () => {
    const { known, source } = of(scenario);
    const delivery = wrong(known);
    expect((await send(known.endpoint, delivery)).status).toBe(delivery.status);
    // Without a response of the component, its run precedes the run of the next delivery, which counts the events again.
    expect(await stage.scene.events(source.id)).toHaveLength(1);
  });
});

test('the service starts again', () => stage.scene.cloud.restart());

describe.each(named)('%s after a restart', (_, scenario) => {
  test('emits what its upstream delivers', () => deliver(scenario, 2));

  test('removes its endpoint when it is deleted', async () => {
    const { upstream, source, known } = of(scenario);
    expectSatisfied(upstream);
    upstream.rules = scenario.deactivate(known);
    expect((await stage.scene.api.delete(`/sources/${source.id}`)).status).toBe(204);
    await until('the removal', () =>
      upstream.rules.every(({ name }) => upstream.calls(name).length > 0),
    ).catch((error: unknown) => {
      throw new Error(`${String(error)}: ${upstream.wrong.join('\n')}`);
    });
    expect(upstream.wrong).toEqual([]);
  });
});
