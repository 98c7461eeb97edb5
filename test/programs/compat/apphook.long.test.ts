import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Deployed } from '../../support/scene.ts';
import { APP_SENDERS, type AppRequest, sendFromApp } from './app-senders.ts';
import type { ApphookScenario } from './scenario.ts';
import { expectSatisfied, TestStage } from './stage.ts';
import { matches, type Upstream } from './stand-in.ts';
import { apphookScenarios } from './stand-ins/apphooks.ts';

/**
 * Untouched components whose interface is their app's: what the app sends comes in through the endpoint, before and
 * after a restart.
 */
// Titles in full: the report about all components reads them.
const named = apphookScenarios.map((scenario) => [scenario.component, scenario] as const);
let stage: TestStage;
const tried = new Map<ApphookScenario, { upstream: Upstream; source: Deployed }>();

beforeAll(async () => {
  stage = await TestStage.open(apphookScenarios);
});
afterAll(() => stage.close());

function requestWith({ sender }: ApphookScenario, event: unknown): AppRequest {
  if (sender) return APP_SENDERS[sender.app].event(event, sender.secret);
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(event),
    response: '{"success":true}',
  };
}

async function expectResponse(endpoint: string, request: AppRequest): Promise<void> {
  const response = await sendFromApp(endpoint, request);
  expect([response.status, await response.text()]).toEqual([200, request.response]);
}

async function deliver(scenario: ApphookScenario, n: number): Promise<void> {
  const { upstream, source } = tried.get(scenario) ?? expect.fail('It was not deployed.');
  for (const event of [...(n > 1 ? (scenario.ignores ?? []) : []), scenario.event(n)])
    await expectResponse(source.endpoint, requestWith(scenario, event));
  const emitted = await stage.scene.eventsOf(source.id, n, { expand: 'event' }).catch((error: unknown) => {
    throw new Error(`${String(error)}; ${upstream.wrong.join('\n')}`);
  });
  expect(await stage.scene.events(source.id, { event_name: '$errors', expand: 'event' })).toEqual([]);
  expect(emitted).toHaveLength(n);
  const { summary, event } = scenario.emits(n);
  expect(emitted[0]?.metadata.summary).toBe(summary);
  expect(matches(event, emitted[0]?.event), JSON.stringify(emitted[0]?.event)).toBe(true);
  expect(upstream.wrong).toEqual([]);
}

describe.each(named)('%s', (_, scenario) => {
  test('shows the events that its app is to send, and the endpoint', async () => {
    const upstream = stage.standIns.upstream(scenario.host);
    upstream.rules = scenario.lookups ?? [];
    const source = await stage.deploy(scenario);
    expect(source.data.configured_props[scenario.prop]).toEqual({
      endpoint_url: source.endpoint,
      event_names: scenario.eventNames,
    });
    tried.set(scenario, { upstream, source });
  });

  test('passes the check of its address, and refuses what its app did not sign', async () => {
    const { source } = tried.get(scenario) ?? expect.fail('It was not deployed.');
    const { sender } = scenario;
    if (!sender) return;
    const { app, secret } = sender;
    await expectResponse(source.endpoint, APP_SENDERS[app].check(secret));
    if (secret === '') return;
    const forged = APP_SENDERS[app].event(scenario.event(1), 'another secret');
    expect((await sendFromApp(source.endpoint, forged)).status).toBe(401);
  });

  test('emits what its app sends', () => deliver(scenario, 1));
});

test('the service starts again', () => stage.scene.cloud.restart());

test.each(named)(
  '%s emits what its app sends after a restart, and nothing of what is not for it',
  async (_, scenario) => {
    await deliver(scenario, 2);
    expectSatisfied(tried.get(scenario)?.upstream ?? expect.fail());
  },
);
