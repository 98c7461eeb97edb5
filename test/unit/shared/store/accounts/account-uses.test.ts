import { afterEach, beforeEach, expect, test } from 'vitest';
import { AccountId, ComponentId } from '../../../../../shared/domain/id.ts';
import type { SourceConfiguration } from '../../../../../shared/domain/source/source.ts';
import { accountUseStore } from '../../../../../shared/store/accounts/account-uses.ts';
import { type World, openWorld } from '../../../../support/world/world.ts';

let stage: World;
beforeEach(async () => {
  stage = await openWorld();
});
afterEach(() => stage.close());

const [one, two] = [AccountId.parse('apn_1'), AccountId.parse('apn_2')];
const named = (id: string) => ({ authProvisionId: id });
const traits = {
  hasRun: true,
  hooks: [],
  customResponse: false,
  appProps: { app: 'github', other: 'slack' },
};

let slugs = 0;
const configuration = (
  configuredProps: Record<string, unknown>,
  more: Partial<SourceConfiguration> = {},
): SourceConfiguration => ({
  componentId: ComponentId.parse('sc_1'),
  bundleHash: 'b'.repeat(64),
  configuredProps,
  name: 'n',
  nameSlug: `s-${(slugs += 1)}`,
  active: true,
  endpoint: 'path',
  tags: [],
  ...more,
});

const uses = async () => {
  const read = await accountUseStore(stage.table).read(stage.ownerId);
  return Object.fromEntries([...read].map(([id, sources]) => [id, sources.map(({ nameSlug }) => nameSlug)]));
};

test('only app props name accounts; two props of a source with one account are one use', async () => {
  const props = { app: named(one), other: named(one), text: named(two) };
  await stage.source(traits, { configuration: configuration(props, { nameSlug: 'both' }) });
  expect(await uses()).toEqual({ [one]: ['both'] });
});

test('a prop that the component adds by additionalProps names an account too', async () => {
  const additionalProps = [{ name: 'added', type: 'app', app: 'jira' }];
  const props = { added: named(two) };
  await stage.source({ appProps: {} }, { configuration: configuration(props, { nameSlug: 'added', additionalProps }) });
  expect(await uses()).toEqual({ [two]: ['added'] });
});

test('while an update is under way, the accounts before and after it are in use', async () => {
  await stage.source(traits, {
    configuration: configuration({ app: named(one) }, { nameSlug: 'updating' }),
    pending: {
      revision: 2,
      since: 0,
      triggerId: 't',
      configuration: configuration({ app: named(two) }),
      traits,
      hooks: [],
    },
  });
  expect(await uses()).toEqual({ [one]: ['updating'], [two]: ['updating'] });
});

test('a source that is being deleted uses no account', async () => {
  await stage.source(traits, { state: 'deleting', configuration: configuration({ app: named(one) }) });
  expect(await uses()).toEqual({});
});

test('250 sources are read whole, newest first, at one read unit each and without a write', async () => {
  const made: string[] = [];
  for (let n = 0; n < 250; n += 1) {
    stage.clock.advance(1);
    const nameSlug = `many-${n}`;
    await stage.source(traits, { configuration: configuration({ app: named(one) }, { nameSlug }) });
    made.unshift(nameSlug);
  }
  const before = { ...stage.units };
  expect(await uses()).toEqual({ [one]: made });
  expect(stage.units.write).toBe(before.write);
  expect(stage.units.read - before.read).toBeLessThanOrEqual(250 + 10);
});
