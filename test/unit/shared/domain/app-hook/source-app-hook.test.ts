import { expect, test } from 'vitest';
import { hasAppHook, oneAddressProvider } from '../../../../../shared/domain/app-hook/one-address.ts';
import { sourceAppHook } from '../../../../../shared/domain/app-hook/source-app-hook.ts';
import type { Source } from '../../../../../shared/domain/source/source.ts';

const hookOf = (traits: Partial<Source['traits']>, configuredProps: Record<string, unknown> = {}) =>
  sourceAppHook({
    traits: { hasRun: true, hooks: [], customResponse: false, ...traits },
    configuration: { configuredProps } as Source['configuration'],
  });
const BOTH = { apphookProp: 'hook', appProps: { chat: 'slack', store: 'acme' } };

test('the app of a hook is that of the prop that it names, else of the only one', () => {
  expect(hookOf({ ...BOTH, apphookAppProp: 'chat' })?.app).toBe('slack');
  expect(hookOf({ apphookProp: 'hook', appProps: { chat: 'slack' } })?.app).toBe('slack');
  expect(hookOf(BOTH)?.app).toBeUndefined();
  expect(hookOf({ ...BOTH, apphookAppProp: 'toString' })?.app).toBeUndefined();
  expect(hookOf({ appProps: { chat: 'slack' } })).toBeUndefined();
});

test('its names and its account are those of the configured props', () => {
  const props = { chat: { authProvisionId: 'apn_1' }, hook: { event_names: ['C1', 5] } };
  expect(hookOf({ ...BOTH, apphookAppProp: 'chat' }, props)).toMatchObject({
    account: { authProvisionId: 'apn_1' },
    eventNames: ['C1', ''],
  });
  expect(hookOf(BOTH, { hook: {} })?.eventNames).toEqual([]);
});

test('a provider with one address is told by the props of a component', () => {
  const hook = { name: 'hook', type: '$.interface.apphook', appProp: 'app' };
  const app = (slug: unknown) => ({ name: 'app', type: 'app', app: slug });
  expect(oneAddressProvider([app('slack_v2'), hook])).toBe('Slack');
  expect(oneAddressProvider([app('strava'), hook])).toBe('Strava');
  expect(oneAddressProvider([app('zoom'), hook])).toBeUndefined();
  expect(oneAddressProvider([app('slack')])).toBeUndefined();
  // Its endpoint takes HTTP requests.
  expect(oneAddressProvider([app('slack'), hook, { name: 'http', type: '$.interface.http' }])).toBeUndefined();
  expect(hasAppHook({ hook: { event_names: [] } })).toBe(true);
  expect(hasAppHook({ http: { endpoint_url: 'https://in.example/e' }, text: null })).toBe(false);
});
