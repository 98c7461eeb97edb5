import { expect, test } from 'vitest';
import type { Component } from '../../../../../shared/domain/component/component.ts';
import { SourceId, UserId } from '../../../../../shared/domain/id.ts';
import { planSource, planUpdate } from '../../../../../shared/domain/source/source-revision.ts';

const description = { name: 'x', props: [], hasRun: true, hooks: [], hasAdditionalProps: false };
const component = { id: 'sc_1', bundleHash: 'one', description } as unknown as Component;
const common = { component, props: {}, endpointId: 'e', now: 1 };

const requested = {
  name: 'before',
  configuredProps: undefined,
  active: undefined,
  endpoint: undefined,
  tags: undefined,
};
const planned = planSource({
  ...common,
  id: SourceId.parse('dc_1'),
  ownerId: UserId.parse('u_1'),
  settings: requested,
});
const source = { ...planned, state: 'active' as const };

test('an update of code and name changes the name at once, and the code with the revision', () => {
  const update = planUpdate(source, {
    ...common,
    component: { ...component, bundleHash: 'two' },
    settings: { ...requested, name: 'after', active: true },
  });
  expect(update).toMatchObject({
    configuration: { name: 'after', nameSlug: 'after', bundleHash: 'one' },
    pending: { configuration: { name: 'after', nameSlug: 'after', bundleHash: 'two' } },
  });
});

test('an update of tags alone needs no revision, so no hook runs; new code keeps the tags', () => {
  const tagged = planUpdate(source, { ...common, settings: { ...requested, active: true, tags: ['one'] } });
  expect(tagged).toMatchObject({ configuration: { tags: ['one'] } });
  expect(tagged.pending).toBeUndefined();
  const update = planUpdate(
    { ...source, configuration: tagged.configuration },
    { ...common, component: { ...component, bundleHash: 'two' }, settings: { ...requested, active: true } },
  );
  expect(update).toMatchObject({
    configuration: { tags: ['one'] },
    pending: { configuration: { tags: ['one'] } },
  });
});
