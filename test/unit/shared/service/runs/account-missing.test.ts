import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SourceTraits } from '../../../../../shared/domain/component/source-traits.ts';
import type { Source } from '../../../../../shared/domain/source/source.ts';
import { executeSynchronously } from '../../../../../shared/service/runs/synchronous-run.ts';
import { type World, openWorld } from '../../../../support/world/world.ts';
import { withoutAccounts } from '../../../../support/without-accounts.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NEEDED: Partial<SourceTraits> = { appProps: { shop: 'acme' }, neededAccounts: ['shop'] };

let stage: World;
beforeEach(async () => {
  stage = await openWorld({ accounts: withoutAccounts });
  await stage.user();
});
afterEach(() => stage.close());

const errorsOf = async ({ id }: Source) =>
  (await stage.services.events.latest(id, '$errors')).map(
    ({ json }) => JSON.parse(json) as { error: unknown; original_event: unknown },
  );
const run = (source: Source, payload: unknown = {}) => stage.execute(stage.received([stage.trigger(source, payload)]));

test('a run without an account that the component reads does not start, and keeps its event in $errors', async () => {
  const source = await stage.source(NEEDED);
  expect(await run(source, { kept: 1 })).toEqual({ completed: 1 });
  expect(stage.requests).toEqual([]);
  expect(await errorsOf(source)).toMatchObject([
    {
      error: {
        code: 'account_missing',
        message: 'acme needs an account: tributary accounts connect acme. Name it in configured_props.',
      },
      original_event: { kept: 1 },
    },
  ]);
});

test('a run of a timer without its account is reported once an hour', async () => {
  const source = await stage.source({ ...NEEDED, timer: { intervalSeconds: 60 } });
  stage.clock.advance(HOUR - (stage.clock.now() % HOUR));
  for (let minute = 0; minute < 120; minute += 20) {
    const tick = stage.trigger(source, {}, { cause: 'timer', generation: source.generation });
    await stage.execute(stage.received([tick]));
    expect(await errorsOf(source)).toHaveLength(minute < 60 ? 1 : 2);
    stage.clock.advance(20 * MINUTE);
  }
});

test('a sender that waits for such a run gets 503, which names the mend', async () => {
  const source = await stage.source({ ...NEEDED, customResponse: true });
  const request = executeSynchronously(stage.synchronous(), stage.trigger(source), { json: '{"kept":1}' });
  await expect(request).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining('tributary accounts connect acme'),
  });
});

test.each<[string, Partial<SourceTraits>, Record<string, unknown>]>([
  ['with the account', NEEDED, { shop: { authProvisionId: 'apn_1' } }],
  ['of a component that reads no field of it', { appProps: { shop: 'acme' } }, {}],
  ['of another app prop', { ...NEEDED, neededAccounts: ['toString'] }, { toString: { authProvisionId: 'apn_1' } }],
])('a run %s starts', async (_, traits, configuredProps) => {
  const made = await stage.source(traits);
  const source = await stage.source(traits, { configuration: { ...made.configuration, configuredProps } });
  await run(source);
  expect(stage.requests).toHaveLength(1);
  expect(await errorsOf(source)).toEqual([]);
});
