import {
  type EventSourceMappingConfiguration,
  GetEventSourceMappingCommand,
  LambdaClient,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { expect, onTestFinished, test } from 'vitest';
import { createFeedSwitch } from '../../../../shared/aws/feed-switch.ts';

/** A mapping whose states follow one another, one with each look; the last one stays. */
function mapping(...states: string[]) {
  const updates: unknown[] = [];
  const clock = { now: 0 };
  const lambda = mockClient(LambdaClient);
  // Other files share this process.
  onTestFinished(() => lambda.restore());
  lambda.on(GetEventSourceMappingCommand).callsFake((): EventSourceMappingConfiguration => ({
    State: states.length > 1 ? states.shift() : states[0],
  }));
  lambda.on(UpdateEventSourceMappingCommand).callsFake((input) => void updates.push(input));
  const setFeed = createFeedSwitch({
    lambda: new LambdaClient({ region: 'eu-west-1' }),
    pause: (ms) => Promise.resolve((clock.now += ms)),
    now: () => clock.now,
  });
  return { setFeed, updates, clock };
}

test('a feed is off when Lambda has disabled it, after one update', async () => {
  const { setFeed, updates, clock } = mapping('Enabled', 'Disabling', 'Disabling', 'Disabled');
  await setFeed('uuid', false);
  expect(updates).toEqual([{ UUID: 'uuid', Enabled: false }]);
  expect(clock.now).toBe(2_000);
});

test('a change under way is waited for, because Lambda refuses another one', async () => {
  const { setFeed, updates } = mapping('Creating', 'Disabling', 'Disabled', 'Enabling', 'Enabled');
  await setFeed('uuid', true);
  expect(updates).toEqual([{ UUID: 'uuid', Enabled: true }]);
});

test('a feed that is in the wanted state stays as it is', async () => {
  const { setFeed, updates } = mapping('Enabled');
  await setFeed('uuid', true);
  expect(updates).toEqual([]);
});

test('a change that takes too long is an error with the state', async () => {
  const { setFeed } = mapping('Enabled', 'Disabling');
  await expect(setFeed('uuid', false)).rejects.toThrow('is still Disabling, not Disabled');
});
