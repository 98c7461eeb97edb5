import { afterAll, beforeAll, expect, test } from 'vitest';
import { FakeClock } from '../../../infra/embedded/clock.ts';
import type { Deployed } from '../../support/scene.ts';
import { travel } from '../../support/travel.ts';
import { until } from '../../support/until.ts';
import { chosen, type TimerScenario } from './scenario.ts';
import { expectSatisfied, TestStage } from './stage.ts';
import type { Upstream } from './stand-in.ts';
import { timerScenarios as all } from './stand-ins/timers.ts';

const SECONDS = 900;
/** Schedules begin on whole minutes. */
const LATE_S = 60;
const STEP_MS = 30_000;
const POLL_MS = 100;

const timerScenarios = chosen(all);
const clock = new FakeClock(Date.now());
// Titles in full: the report about all components reads them.
const named = timerScenarios.map((scenario) => [scenario.component, scenario] as const);
let stage: TestStage;
const tried = new Map<TimerScenario, { upstream: Upstream; source: Deployed }>();
/** The same with an account that their upstream refuses. */
const strangers = new Map<TimerScenario, Deployed>();
/** Summaries of everything on the default stream, the oldest first. */
const summaries = async ({ id }: Deployed) =>
  (await stage.scene.events(id)).map(({ metadata }) => metadata.summary).reverse();

beforeAll(async () => {
  stage = await TestStage.open(timerScenarios, { clock });
});
afterAll(() => stage.close());

test.each(named)('%s is deployed', async (_, scenario) => {
  const upstream = stage.standIns.upstream(scenario.host);
  upstream.rules = scenario.activate ?? [];
  const timer = { interval_seconds: SECONDS };
  const source = await stage.deploy(scenario, { timer }).catch((error: unknown) => {
    throw new Error(`${String(error)}; ${upstream.wrong.join('\n')}`);
  });
  expect(source.data.configured_props.timer).toEqual({ ...timer, cron: null });
  expectSatisfied(upstream);
  tried.set(scenario, { upstream, source });
  const { account, refused } = scenario;
  if (!account || !refused) return;
  const other = { ...account, fields: { ...account.fields, ...refused } };
  strangers.set(scenario, await stage.deploy({ ...scenario, account: other }, { timer }));
});

async function poll(n: 0 | 1): Promise<void> {
  for (const [{ polls }, { upstream }] of tried) upstream.rules = polls[n].rules();
  const expected = new Map(
    [...tried].map(([{ polls }, { source }]) => [source, polls.slice(0, n + 1).flatMap(({ emits }) => emits)]),
  );
  await travel(clock, { byMs: (SECONDS + LATE_S) * 1_000, stepMs: STEP_MS });
  // A source that is behind, on a busy machine, needs seconds.
  const haveEmitted = async () => {
    clock.advance(POLL_MS);
    for (const [source, all] of expected) if ((await summaries(source)).length < all.length) return false;
    return true;
  };
  await until('each source has emitted what there is', haveEmitted, { everyMs: POLL_MS });
}

test('at the first tick each emits what there is', () => poll(0));
test('after a restart, at the second tick, only what is new', async () => {
  await stage.scene.cloud.restart();
  await poll(1);
});

test.each(named)('%s emits at its second tick only what is new', async (_, scenario) => {
  const found = tried.get(scenario);
  if (!found) throw new Error('It was not deployed.');
  const [first, second] = scenario.polls;
  const errors = await stage.scene.events(found.source.id, { event_name: '$errors', expand: 'event' });
  expect(errors.map(({ event }) => event.error)).toEqual([]);
  expectSatisfied(found.upstream);
  const emitted = await summaries(found.source);
  expect(emitted.slice(0, first.emits.length).sort()).toEqual([...first.emits].sort());
  expect(emitted.slice(first.emits.length).sort()).toEqual([...second.emits].sort());
});

const withStrangers = named.filter(([, { refused }]) => refused);
if (withStrangers.length > 0)
  test.each(withStrangers)('%s emits nothing when its upstream refuses', async (_, scenario) => {
    const { id } = strangers.get(scenario) ?? expect.fail('It was not deployed.');
    await until('its error', async () => (await stage.scene.events(id, { event_name: '$errors' })).length > 0);
    expect(await stage.scene.events(id)).toEqual([]);
  });
