import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { metricNamespaceOf, type ServiceMetricName } from '../shared/domain/metrics/service-metric-names.ts';
import type { Heartbeat } from './constructs/heartbeat.ts';
import type { LogMetricName } from './constructs/log-metrics.ts';
import type { WorkQueue } from './constructs/work-queue.ts';

const MINUTE = Duration.minutes(1);

type Dimensions = Readonly<Record<string, string>>;

/** Values of one minute; all but those of {@link ownMetric} are AWS's own, which cost nothing. */
const metricOf =
  (namespace: string, statistic: string) =>
  (metricName: string, dimensionsMap: Dimensions = {}): Metric =>
    new Metric({ namespace, metricName, statistic, dimensionsMap, period: MINUTE });

/**
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html: without a dimension, they are those of
 * the whole account.
 */
export const lambdaCount = metricOf('AWS/Lambda', Stats.SUM);
export const lambdaMaximum = metricOf('AWS/Lambda', Stats.MAXIMUM);

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-metrics.html */
export const requestCount = (metricName: '5xx' | '4xx' | 'Count', ApiId: string): Metric =>
  metricOf('AWS/ApiGateway', Stats.SUM)(metricName, { ApiId });

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html */
export const tableCount = (metricName: 'WriteThrottleEvents' | 'ReadThrottleEvents', TableName: string): Metric =>
  metricOf('AWS/DynamoDB', Stats.SUM)(metricName, { TableName });

/** https://docs.aws.amazon.com/scheduler/latest/UserGuide/monitoring-cloudwatch.html */
export const scheduleCount = (
  metricName: 'TargetErrorCount' | 'InvocationAttemptCount',
  ScheduleGroup: string,
): Metric => metricOf('AWS/Scheduler', Stats.SUM)(metricName, { ScheduleGroup });

/** Refused reads and writes. */
export const tableThrottles = (tableName: string): MathExpression =>
  new MathExpression({
    expression: 'FILL(reads, 0) + FILL(writes, 0)',
    usingMetrics: {
      reads: tableCount('ReadThrottleEvents', tableName),
      writes: tableCount('WriteThrottleEvents', tableName),
    },
    period: MINUTE,
  });

/** Percent of the requests that were refused with a status of 4xx, where there are more than ten. */
export const refusedPercent = (apiId: string): MathExpression =>
  new MathExpression({
    expression: 'IF(FILL(refused, 0) > 10, 100 * FILL(refused, 0) / FILL(requests, 1), 0)',
    usingMetrics: { refused: requestCount('4xx', apiId), requests: requestCount('Count', apiId) },
    period: MINUTE,
  });

const queueMaximum = metricOf('AWS/SQS', Stats.MAXIMUM);

/** The queues of the service, and its schedules. */
type WithDeadLetters = Pick<WorkQueue, 'deadLetters'>;

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html */
export const oldestMessage = ({ queue: { queueName: QueueName } }: WorkQueue): Metric =>
  queueMaximum('ApproximateAgeOfOldestMessage', { QueueName });

/** 1 in a minute without a report of the heartbeat. */
export const missedReports = ({ queue: { queueName: QueueName } }: Heartbeat): MathExpression =>
  new MathExpression({
    expression: 'IF(FILL(reports, 0) < 1, 1, 0)',
    usingMetrics: { reports: metricOf('AWS/SQS', Stats.SUM)('NumberOfMessagesSent', { QueueName }) },
    period: MINUTE,
  });

export const deadLetters = ({ deadLetters: { queueName: QueueName } }: WithDeadLetters): Metric =>
  queueMaximum('ApproximateNumberOfMessagesVisible', { QueueName });

/**
 * Dead letters that came in a minute: those that wait for the operator do not hide the next ones. An inactive queue has
 * no values.
 */
export const newDeadLetters = (from: WithDeadLetters): MathExpression =>
  new MathExpression({
    expression: 'DIFF(FILL(waiting, 0))',
    usingMetrics: { waiting: deadLetters(from) },
    period: MINUTE,
  });

/** A metric of the stage, which CloudWatch bills in months with values. */
export const ownMetric = (stackName: string, name: ServiceMetricName | LogMetricName, statistic = Stats.SUM): Metric =>
  metricOf(metricNamespaceOf(stackName), statistic)(name);
