import { expect, test } from 'vitest';
import type { Component } from '../../../../functions/console/app/api/wire.ts';
import { emitterFor } from '../../../../functions/console/app/subscriptions/app-emitter.ts';

const componentOf = (app: string) =>
  ({
    configurable_props: [
      { name: 'app', type: 'app', app },
      { name: 'hook', type: '$.interface.apphook', appProp: 'app' },
    ],
  }) as unknown as Component;

test('a choice counts for components of its provider only', () => {
  const chosen = { provider: 'Slack', id: 'dc_1' };
  expect(emitterFor(componentOf('slack_v2'), chosen)).toBe('dc_1');
  expect(emitterFor(componentOf('strava'), chosen)).toBe('');
  expect(emitterFor(componentOf('zoom'), chosen)).toBe('');
  expect(emitterFor(componentOf('slack'), undefined)).toBe('');
});
