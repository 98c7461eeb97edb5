import { expect, test } from 'vitest';
import { type DeliveryState, isSettled } from '../../../../functions/console/app/events/delivered-count.ts';
import { deliveryStep, durationText } from '../../../../functions/console/app/pages/runs/step-progress.ts';

const eventWith = (...statuses: DeliveryState[]) => ({
  deliveries: statuses.map((status) => ({ status })),
});

test.each<[string, DeliveryState[][], ReturnType<typeof deliveryStep>]>([
  ['no event', [], { progress: 'open', text: '–' }],
  ['no delivery', [[]], { progress: 'open', text: 'no delivery to a webhook yet' }],
  ['all delivered', [['delivered'], ['delivered']], { progress: 'done', text: '2 of 2' }],
  ['one under way', [['delivered', 'retrying']], { progress: 'current', text: '1 of 2' }],
  ['one held', [['held']], { progress: 'current', text: '0 of 1' }],
  ['one failed', [['delivered'], ['failed']], { progress: 'bad', text: '1 of 2, 1 failed' }],
  [
    'some lost',
    [
      ['failed', 'discarded'],
      ['discarded', 'pending'],
    ],
    { progress: 'bad', text: '0 of 4, 1 failed, 2 discarded' },
  ],
])('the step of deliveries with %s', (_, events, expected) => {
  expect(deliveryStep(events.map((statuses) => eventWith(...statuses)))).toEqual(expected);
});

test('an event is settled when no attempt of its deliveries will come; without deliveries it is not', () => {
  expect(isSettled(eventWith('delivered', 'failed', 'discarded'))).toBe(true);
  for (const status of ['pending', 'retrying', 'held'] as const)
    expect(isSettled(eventWith('delivered', status)), status).toBe(false);
  expect(isSettled(eventWith())).toBe(false);
});

test('a duration of two clocks is not negative', () => {
  expect([durationText(10, 35), durationText(35, 10)]).toEqual(['25 ms', '0 ms']);
});
