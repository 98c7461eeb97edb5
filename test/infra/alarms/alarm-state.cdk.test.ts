import { beforeEach, describe, expect, test } from 'vitest';
import { type AlarmState, alarmState } from '../../support/cloudwatch/alarm-state.ts';
import { type Alarm, alarmsOf } from '../../support/cloudwatch/alarms-of.ts';
import { MetricData } from '../../support/cloudwatch/metric-data.ts';
import { seriesOf } from '../../support/cloudwatch/metric-formula.ts';
import { templateWithoutCode } from '../../support/stack.ts';

const alarms = alarmsOf(templateWithoutCode());
const named = (name: string): Alarm => alarms.find((alarm) => alarm.name === name) ?? expect.fail(name);

let data: MetricData;
beforeEach(() => {
  data = new MetricData();
});

/** Gives the only metric of an alarm a value in some minutes. */
function happens(alarm: Alarm, minutes: readonly number[], value: number): void {
  const [metric = expect.fail('no metric')] = alarm.inputs.values();
  for (const minute of minutes) data.add(metric, minute * 60_000 + 30_000, value);
}

/** The states from minute 0 on, without repetitions: `ALARM@2 OK@18`. */
function states(alarm: Alarm, minutes = 120): string {
  let last: AlarmState = 'OK';
  const changes: string[] = [];
  for (let minute = 0; minute < minutes; minute += 1) {
    const state = alarmState(alarm, data, minute);
    if (state !== last) changes.push(`${state}@${minute}`);
    last = state;
  }
  return changes.join(' ');
}

const from = (first: number, last: number, step = 1) =>
  Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, index) => first + index * step);

test.each(alarms.map(({ name }) => name).filter((name) => name !== 'Heartbeat'))(
  '%s is quiet while nothing happens',
  (name) => {
    expect(states(named(name))).toBe('');
  },
);

test('the heartbeat may be missed in one minute, because the scheduler may be late, and rings in the second', () => {
  const alarm = named('Heartbeat');
  const [metric = expect.fail('no metric')] = alarm.inputs.values();
  for (const minute of [...from(-10, 9), 11, 12, 12, 14, ...from(20, 130)])
    data.add(metric, minute * 60_000 + 3_000, 1);
  expect(states(alarm)).toBe('ALARM@18 OK@22');
});

describe('dead letters', () => {
  test('ring once when they come, and are quiet while they wait', () => {
    const alarm = named('DeadLetters-runs');
    happens(alarm, from(10, 100), 3);
    expect(states(alarm)).toBe('ALARM@12 OK@27');
  });

  test('of a second incident ring again, while those of the first still wait', () => {
    const alarm = named('DeadLetters-runs');
    happens(alarm, from(10, 59), 3);
    happens(alarm, from(60, 110), 4);
    expect(states(alarm)).toBe('ALARM@12 OK@27 ALARM@62 OK@77');
  });

  test('that are sent again do not ring', () => {
    const alarm = named('DeadLetters-deliveries');
    happens(alarm, from(10, 59), 3);
    happens(alarm, from(60, 80), 1);
    expect(states(alarm)).toBe('ALARM@12 OK@27');
  });
});

test.each(['FunctionErrors', 'ScheduleErrors'])('%s rings at the first failure', (name) => {
  const alarm = named(name);
  happens(alarm, [10], 1);
  expect(states(alarm)).toBe('ALARM@12 OK@32');
});

test.each([
  ['APIErrors', 32],
  ['EndpointsErrors', 32],
  ['FunctionThrottles', 32],
  // Its formula fills up minutes without values.
  ['TableThrottles', 27],
])('%s does not ring for a bad minute, but for three', (name, quietAt) => {
  const alarm = named(name);
  happens(alarm, [10, 20], 5);
  expect(states(alarm)).toBe('');
  happens(alarm, [22], 1);
  expect(states(alarm)).toBe(`ALARM@24 OK@${quietAt}`);
});

test('throttles of triggers that come back every five minutes at last keep ringing', () => {
  const alarm = named('FunctionThrottles');
  happens(alarm, [10, 11, 12, 14, 18, ...from(23, 73, 5)], 1);
  expect(states(alarm)).toMatch(/^ALARM@14 OK@\d+$/);
});

test('ConcurrentExecutions rings above 80 %, and not at them', () => {
  const alarm = named('ConcurrentExecutions');
  happens(alarm, from(10, 30), 8);
  expect(states(alarm)).toBe('');
  happens(alarm, from(20, 30), 9);
  expect(states(alarm)).toMatch(/^ALARM@24 /);
});

test('an old trigger rings after the longest run and one minute; the alarm is quiet when it has run', () => {
  const alarm = named('OldestTrigger');
  happens(alarm, [9], 120);
  expect(states(alarm)).toBe('');
  for (const minute of from(10, 20)) happens(alarm, [minute], (minute - 7) * 60);
  happens(alarm, from(21, 60), 1);
  expect(states(alarm)).toBe('ALARM@12 OK@25');
});

describe('deliveries', () => {
  /** First probes of an open breaker, and then one in ten minutes. */
  const probes = [10, 10, 11, 12, 15, 20, ...from(30, 70, 10)];

  test('that fail for an hour ring within five minutes, and until the webhook works', () => {
    const alarm = named('FailedDeliveries');
    happens(alarm, probes, 1);
    expect(states(alarm, 180)).toMatch(/^ALARM@14 OK@\d+$/);
    const [, quiet] = states(alarm, 180).split('OK@');
    expect(Number(quiet)).toBeGreaterThan(72);
  });

  test('that fail for a moment do not ring', () => {
    const alarm = named('FailedDeliveries');
    happens(alarm, [10, 11], 100);
    expect(states(alarm)).toBe('');
  });
});

describe('a formula', () => {
  const inputs = new Map([['m', [undefined, 2, undefined, 5, 1]]]);

  test('fills minutes without a value, and takes differences to the value before', () => {
    expect(seriesOf('FILL(m, 0)', inputs)).toEqual([0, 2, 0, 5, 1]);
    expect(seriesOf('DIFF(FILL(m, 0))', inputs)).toEqual([undefined, 2, -2, 5, -4]);
    expect(seriesOf('DIFF(m)', inputs)).toEqual([undefined, undefined, undefined, 3, -4]);
  });

  test('with a part that has no rule is refused', () => {
    for (const formula of ['RATE(m)', 'n', 'FILL(m, REPEAT)', 'FILL(m)'])
      expect(() => seriesOf(formula, inputs), formula).toThrow(`The formula ${formula} `);
  });
});
