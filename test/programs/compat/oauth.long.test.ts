import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { providerOfApp } from '../../../shared/domain/oauth/providers.ts';
import { AuthorizationServer } from '../../support/authorization-server.ts';
import { requestOfHost } from '../../support/host-request.ts';
import { registerTestClient } from '../../support/register-client.ts';
import type { Deployed } from '../../support/scene.ts';
import { signInAt } from '../../support/sign-in.ts';
import { until } from '../../support/until.ts';
import { HIDE_REFUSALS, type OAuthScenario, oauthScenarios, RESPONSES } from './oauth-scenarios.ts';
import type { Account, Registered } from './scenario.ts';
import { signedInRules, tokensIn } from './signed-in-rules.ts';
import { expectSatisfied, TestStage } from './stage.ts';
import { matches, type Rule, type Upstream } from './stand-in.ts';

/**
 * Untouched components of apps with OAuth 2. Each account is connected by the built-in entry of its provider, of which
 * only the addresses are others, and its token is renewed between two runs. A stand-in refuses every token that the
 * provider has revoked.
 */
const SHORT_S = 20;
const LONG_S = 3_600;
const INTERVAL_S = 900;

const named = oauthScenarios.map((scenario) => [scenario.component, scenario] as const);
let stage: TestStage;
/** By the name of the entry, or by app where there is none. */
const providers = new Map<string, AuthorizationServer>();
interface Tried {
  upstream: Upstream;
  source: Deployed;
  accounts: string[];
  known: Registered;
  /** Tokens that came before the renewal. */
  earlier: Set<string>;
  ticks: number;
}
const tried = new Map<OAuthScenario, Tried>();
const of = (scenario: OAuthScenario): Tried => tried.get(scenario) ?? expect.fail('It was not deployed.');

const nameOf = (app: string) => providerOfApp(app)?.name ?? app;
const providerOf = ({ account: { app } }: OAuthScenario): AuthorizationServer =>
  providers.get(nameOf(app)) ?? expect.fail(app);
const accountsOf = ({ account, otherAccounts = [] }: OAuthScenario): Account[] => [account, ...otherAccounts];

function rulesFor(scenario: OAuthScenario, rules: readonly Rule[]): readonly Rule[] {
  const texts = accountsOf(scenario).map(({ fields }) => fields['oauth_access_token']);
  return signedInRules(rules, {
    texts: texts.filter((text) => typeof text === 'string'),
    provider: providerOf(scenario),
  });
}

const others = new Map<OAuthScenario, Upstream[]>();
/** The app's own upstream, and the others that it asks. */
const upstreamsOf = (scenario: OAuthScenario): Upstream[] => [of(scenario).upstream, ...(others.get(scenario) ?? [])];
const tokensOf = (scenario: OAuthScenario): string[] =>
  upstreamsOf(scenario).flatMap(({ seen }) => seen.flatMap(({ call }) => tokensIn(call)));
const accountOf = async (id: string) => (await stage.scene.api.get(`/accounts/${id}`)).body.data;

async function register(app: string): Promise<void> {
  const name = nameOf(app);
  if (providers.has(name)) return;
  const provider = await AuthorizationServer.start();
  providers.set(name, provider);
  provider.expiresIn = SHORT_S;
  Object.assign(provider, RESPONSES[name]);
  const { uid, ...addresses } = provider.settings;
  await registerTestClient(
    stage.scene.cloud,
    providerOfApp(app)
      ? { apps: [], provider: name, settings: addresses }
      : { apps: [app], settings: { ...addresses, uid, scopes: ['read'] } },
  );
}

beforeAll(async () => {
  // Stand-ins elsewhere have rules for accounts that were signed in, too.
  stage = await TestStage.open(
    oauthScenarios.map(({ elsewhere, ...scenario }) => ({
      ...scenario,
      elsewhere: (elsewhere ?? []).map(({ host }) => ({ host, rules: [] })),
    })),
  );
  for (const scenario of oauthScenarios) for (const { app } of accountsOf(scenario)) await register(app);
});
afterAll(async () => {
  await stage.close();
  for (const provider of providers.values()) await provider.stop();
});

async function run(scenario: OAuthScenario, n: 0 | 1): Promise<void> {
  const { source, known } = of(scenario);
  const requests = scenario.runs[n].sends?.(known);
  if (!requests) {
    const found = of(scenario);
    found.ticks += 1;
    const tick = {
      // Some components ask for the time between two ticks.
      timestamp: Math.floor(Date.now() / 1_000) + found.ticks * INTERVAL_S,
      interval_seconds: INTERVAL_S,
    };
    expect((await stage.scene.api.post(`/sources/${source.id}/run`, tick)).status).toBe(200);
    return;
  }
  for (const sent of requests) expect((await requestOfHost(stage.scene.cloud.ingress, sent)).status).toBe(200);
}

/** Runs the component, and checks all that it has emitted. */
async function expectEmitted(scenario: OAuthScenario, n: 0 | 1): Promise<void> {
  const { source, upstream } = of(scenario);
  upstream.rules = rulesFor(scenario, scenario.runs[n].rules());
  await run(scenario, n);
  const expected = scenario.runs.slice(0, n + 1).flatMap(({ emits }) => emits);
  const emitted = await stage.scene
    .eventsOf(source.id, expected.length, { expand: 'event' })
    .catch(async (error: unknown) => {
      const errors = await stage.scene.events(source.id, { event_name: '$errors', expand: 'event' });
      throw new Error(
        `${String(error)}; ${upstream.wrong.join('\n')}; ${JSON.stringify(errors.map(({ event }) => event.error))}`,
      );
    });
  expect(emitted).toHaveLength(expected.length);
  for (const { summary = () => true, event = () => true } of expected)
    expect(
      emitted.filter((one) => matches(summary, one.metadata.summary) && matches(event, one.event)).length,
    ).toBeGreaterThan(0);
  expect(await stage.scene.events(source.id, { event_name: '$errors' })).toEqual([]);
  for (const { wrong } of upstreamsOf(scenario)) expect(wrong).toEqual([]);
}

describe.each(named)('%s', (_, scenario) => {
  test('is created with an account that was connected by signing in', async () => {
    const accounts: string[] = [];
    const props: Record<string, unknown> = {};
    for (const { prop, app } of accountsOf(scenario)) {
      const id = await signInAt(providerOf(scenario), stage.scene.api, { app });
      expect((await accountOf(id)).field_names).toContain('oauth_uid');
      props[prop] = { authProvisionId: id };
      accounts.push(id);
    }
    const upstream = stage.standIns.upstream(scenario.host);
    others.set(
      scenario,
      (scenario.elsewhere ?? []).map(({ host, rules }) => {
        const other = stage.standIns.upstream(host);
        other.rules = rulesFor(scenario, rules);
        return other;
      }),
    );
    upstream.rules = rulesFor(
      scenario,
      scenario.activate(
        (suffix = '') =>
          (value) =>
            typeof value === 'string' && value.endsWith(suffix),
      ),
    );
    const { account: _account, otherAccounts: _others, ...bare } = scenario;
    const source = await stage.deploy(bare, props).catch((error: unknown) => {
      throw new Error(`${String(error)}; ${upstream.wrong.join('\n')}`);
    });
    expectSatisfied(upstream);
    const call = (rule: string) => upstream.calls(rule)[0] ?? expect.fail(`There was no call of ${rule}.`);
    const known = { endpoint: source.endpoint, call };
    tried.set(scenario, { upstream, source, accounts, known, earlier: new Set(), ticks: 0 });
  });

  test('emits what there is, with the token of the sign-in', () => expectEmitted(scenario, 0));
});

test('half of the lifetime of each token passes', async () => {
  for (const [scenario, { accounts, earlier }] of tried) {
    for (const token of tokensOf(scenario)) earlier.add(token);
    providerOf(scenario).expiresIn = LONG_S;
    for (const id of accounts) {
      const { renewed_at_ms: from, expires_at_ms: to } = await accountOf(id);
      await until('its renewal', () => Date.now() > (from + to) / 2);
    }
  }
});

describe.each(named)('%s after half of the lifetime', (_, scenario) => {
  test('emits only what is new, with a renewed token', async () => {
    await expectEmitted(scenario, 1);
    for (const upstream of upstreamsOf(scenario)) expectSatisfied(upstream);
    for (const id of of(scenario).accounts)
      expect(await accountOf(id)).toMatchObject({ status: 'connected', status_reason: null });
  });

  if (scenario.isPolling && !HIDE_REFUSALS.includes(scenario.component))
    test('gets another token after its upstream has refused one, and repeats nothing', async () => {
      const { source, upstream } = of(scenario);
      const before = await stage.scene.events(source.id);
      providerOf(scenario).revokeAccess();
      await run(scenario, 1);
      await stage.scene.errorsOf(source.id);
      const refused = new Set(tokensOf(scenario));
      await run(scenario, 1);
      await until('another token', () => tokensOf(scenario).some((token) => !refused.has(token)));
      await until('the end of the run', () => stage.scene.isThrough());
      expect(await stage.scene.events(source.id)).toEqual(before);
      expect(await stage.scene.errorsOf(source.id)).toHaveLength(1);
      expect(upstream.wrong).toEqual([]);
    });
  if (!scenario.isPolling)
    test('is deleted with a token that lives', async () => {
      const { upstream, source, known } = of(scenario);
      upstream.rules = rulesFor(scenario, scenario.deactivate(known));
      expect((await stage.scene.api.delete(`/sources/${source.id}`)).status).toBe(204);
      await until('the removal', () => upstream.rules.every(({ name }) => upstream.calls(name).length > 0)).catch(
        (error: unknown) => {
          throw new Error(`${String(error)}: ${upstream.wrong.join('\n')}`);
        },
      );
      expect(upstream.wrong).toEqual([]);
    });

  test('has sent a token of the sign-in, and later one of a renewal', () => {
    const { earlier } = of(scenario);
    expect(earlier.size).toBeGreaterThan(0);
    expect(tokensOf(scenario).filter((token) => !earlier.has(token))).not.toEqual([]);
  });
});
