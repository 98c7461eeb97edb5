import type { Alarm } from './alarms-of.ts';
import type { MetricData } from './metric-data.ts';
import { seriesOf } from './metric-formula.ts';

export type AlarmState = 'OK' | 'ALARM';

/** A minute's values of AWS can be read when another minute has passed. */
const ARRIVAL_MINUTES = 1;

/** CloudWatch reads more minutes than the alarm evaluates; the documentation gives no number. */
const FURTHER_MINUTES = 5;

/**
 * The state of an alarm in one minute: `datapointsToAlarm` of the last `evaluationPeriods` minutes are bad. When
 * minutes without values are among those that CloudWatch reads, it takes the newest values of all of them, and fills up
 * with good ones. https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
 */
export function alarmState(alarm: Alarm, data: MetricData, minute: number): AlarmState {
  const newest = minute - ARRIVAL_MINUTES - 1;
  const length = alarm.evaluationPeriods + FURTHER_MINUTES;
  const minutes = Array.from({ length }, (_, index) => newest - length + 1 + index);
  const inputs = new Map([...alarm.inputs].map(([id, metric]) => [id, minutes.map((each) => data.read(metric, each))]));
  const bad = seriesOf(alarm.expression, inputs)
    .filter((value) => value !== undefined)
    .slice(-alarm.evaluationPeriods)
    .filter((value) => value > alarm.threshold);
  return bad.length >= alarm.datapointsToAlarm ? 'ALARM' : 'OK';
}
