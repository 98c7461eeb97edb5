import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requestOfHost } from '../../support/host-request.ts';
import type { Deployed } from '../../support/scene.ts';
import { until } from '../../support/until.ts';
import { chosen, type HookScenario, type Registered } from './scenario.ts';
import type { Receiver, SentRequest } from './sent-request.ts';
import { expectSatisfied, TestStage } from './stage.ts';
import { matches, type Upstream } from './stand-in.ts';
import { REGISTER } from './stand-ins/common.ts';
import { hookScenarios as all } from './stand-ins/hooks.ts';

/**
 * Untouched components that register their endpoint: each is deployed, gets a request of its vendor, one after a
 * restart of the service, and one that the vendor never sent; then it is deleted. Its stand-in takes no request that
 * its upstream would not have taken, and sends what the documentation of the vendor says (`senders/`), to the address
 * that the component registered.
 */
const hookScenarios = chosen(all);
// Titles in full: the report about all components reads them.
const named = hookScenarios.map((scenario) => [scenario.component, scenario] as const);
let stage: TestStage;
interface Tried {
  upstream: Upstream;
  source: Deployed;
  known: Registered;
  to: Receiver;
}
const tried = new Map<HookScenario, Tried>();
const of = (scenario: HookScenario): Tried => {
  const found = tried.get(scenario);
  if (!found) throw new Error('It was not deployed.');
  return found;
};

beforeAll(async () => {
  stage = await TestStage.open(hookScenarios, { publicUrl: 'https://*.hooks.example.com' });
});
afterAll(() => stage.close());

const send = (sent: SentRequest) => requestOfHost(stage.scene.cloud.ingress, sent);

async function emitted(source: Deployed, n: number) {
  return stage.scene.eventsOf(source.id, n, { expand: 'event' }).catch(async (error: unknown) => {
    const errors = await stage.scene.events(source.id, { event_name: '$errors', expand: 'event' });
    throw new Error(`${String(error)}; $errors: ${JSON.stringify(errors.map(({ event }) => event.error))}`);
  });
}

async function deliver(scenario: HookScenario, n: number): Promise<void> {
  const { to, source } = of(scenario);
  const sent = scenario.sends(to, n);
  const { status, text } = await send(sent);
  expect(status).toBe(scenario.responses?.status ?? 200);
  expect(matches(scenario.responses?.text ?? /^/, text), text).toBe(true);
  if (scenario.emitsNothing !== undefined) {
    await until('the run', () => stage.scene.isThrough());
    expect(await stage.scene.events(source.id)).toEqual([]);
    return;
  }
  const events = await emitted(source, n);
  expect(events).toHaveLength(n);
  const { summary, event } = scenario.emits(n, sent);
  if (summary !== undefined) expect(events[0]?.metadata.summary).toBe(summary);
  expect(matches(event, events[0]?.event), JSON.stringify(events[0]?.event)).toBe(true);
}

describe.each(named)('%s', (_, scenario) => {
  test('registers its endpoint', async () => {
    const upstream = stage.standIns.upstream(scenario.host);
    // The upstream learns the address from the request: it must be that of the endpoint which the response then shows.
    const seen = new Map<string, string>();
    const activate = scenario.activate((suffix = '') => (value) => {
      if (typeof value !== 'string' || !value.startsWith('https:') || !value.endsWith(suffix)) return false;
      seen.set(value.slice(0, value.length - suffix.length), value);
      return true;
    });
    // The run of the greeting may ask, too.
    upstream.rules = [...activate, ...(scenario.lookups ?? []).map((rule) => ({ ...rule, isOptional: true }))];
    const call = (rule: string) => {
      const [first] = upstream.calls(rule);
      if (!first) throw new Error(`There was no call of ${rule}.`);
      return first;
    };
    const receiver = (): Receiver => ({
      address: [...seen.values()][0] ?? '',
      secret: scenario.secret?.(call) ?? '',
    });
    upstream.beforeResponse = async ({ name }) => {
      if (name !== REGISTER || !scenario.greets) return;
      const { status, headers } = await send(scenario.greets(receiver()));
      if (status !== 200)
        upstream.wrong.push(`The endpoint answered ${status} ${JSON.stringify(headers)} to the greeting.`);
    };
    const endpoint = scenario.isOrigin === true ? 'origin' : 'path';
    const source = await stage.deploy(scenario, {}, endpoint).catch((error: unknown) => {
      throw new Error(`${String(error)}; ${upstream.wrong.join('\n')}`);
    });
    expect([...seen.keys()]).toEqual([source.endpoint]);
    expectSatisfied(upstream);
    upstream.rules = scenario.lookups ?? [];
    tried.set(scenario, { upstream, source, known: { endpoint: source.endpoint, call }, to: receiver() });
  });

  const { wrong, emitsNothing } = scenario;
  const first = emitsNothing === undefined ? 'emits what its vendor sends' : `emits nothing: ${emitsNothing}`;
  test(first, () => deliver(scenario, 1));

  if (!wrong) return;
  test('emits nothing for the request of another sender', async () => {
    const { to, source } = of(scenario);
    const sent = wrong(to);
    expect((await send(sent)).status).toBe(sent.status);
    // Without a response of the component, its run precedes the run of the next request, which counts the events again.
    expect(await stage.scene.events(source.id)).toHaveLength(emitsNothing === undefined ? 1 : 0);
  });
});

test('the service starts again', () => stage.scene.cloud.restart());

describe.each(named)('%s after a restart', (_, scenario) => {
  test('does the same with what its vendor sends', () => deliver(scenario, 2));

  test('removes its endpoint when it is deleted', async () => {
    const { upstream, source, known } = of(scenario);
    expectSatisfied(upstream);
    upstream.rules = scenario.deactivate(known);
    expect((await stage.scene.api.delete(`/sources/${source.id}`)).status).toBe(204);
    await until('the removal', () => upstream.rules.every(({ name }) => upstream.calls(name).length > 0)).catch(
      (error: unknown) => {
        throw new Error(`${String(error)}: ${upstream.wrong.join('\n')}`);
      },
    );
    expect(upstream.wrong).toEqual([]);
  });
});
