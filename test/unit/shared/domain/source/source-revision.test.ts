import { expect, test } from 'vitest';
import type { Component } from '../../../../../shared/domain/component/component.ts';
import { SourceId, UserId } from '../../../../../shared/domain/id.ts';
import { planSource, planUpdate } from '../../../../../shared/domain/source/source-revision.ts';

const description = { name: 'x', props: [], hasRun: true, hooks: [], hasAdditionalProps: false };
const component = { id: 'sc_1', bundleHash: 'one', description } as unknown as Component;
const common = { component, props: {}, endpointId: 'e', now: 1 };

test('an update of code and name changes the name at once, and the code with the revision', () => {
  const settings = { name: 'before', configuredProps: undefined, active: undefined, endpoint: undefined };
  const planned = planSource({
    ...common,
    id: SourceId.parse('dc_1'),
    ownerId: UserId.parse('u_1'),
    settings,
  });
  const update = planUpdate(
    { ...planned, state: 'active' },
    {
      ...common,
      component: { ...component, bundleHash: 'two' },
      settings: { ...settings, name: 'after', active: true },
    },
  );
  expect(update).toMatchObject({
    configuration: { name: 'after', nameSlug: 'after', bundleHash: 'one' },
    pending: { configuration: { name: 'after', nameSlug: 'after', bundleHash: 'two' } },
  });
});
