import { SERVICE_METRICS } from '../shared/domain/metrics/service-metric-names.ts';
import type { Alarms } from './constructs/alarms.ts';
import type { Resources } from './resources.ts';
import type { Stage } from './stage.ts';
import {
  lambdaCount,
  lambdaMaximum,
  missedReports,
  newDeadLetters,
  oldestMessage,
  ownMetric,
  refusedPercent,
  requestCount,
  scheduleCount,
  tableThrottles,
} from './watched-metrics.ts';

/** Age of an event that nothing explains, and of a trigger, besides the longest run. */
const LATE_SECONDS = { event: 120, trigger: 60 };
/** Part of the account's concurrent executions that is much. */
const MUCH = 0.8;

/** One bad minute rings: the service handles its errors, so each of these is a defect or an outage. */
const ONE_MINUTE = { bad: 1, of: 15 };
/** Some happen at load, and are repeated: three bad minutes of fifteen ring. */
const SEVERAL_MINUTES = { bad: 3, of: 15 };
/** Three bad minutes of thirty-five ring: a webhook that fails for hours is tried every ten minutes. */
const LASTING = { bad: 3, of: 35 };
/** An age says itself how long the fault lasts. */
const AGE = { bad: 1, of: 3 };
/** Scheduler invokes within the minute, so a report may come in the next one. */
const TWO_IN_A_ROW = { bad: 2, of: 2 };
/** Percent of refused requests. */
const MOST = 50;

/** The alarms of a stage. Each rings within five minutes of its fault (`test/infra/alarms`), and has a runbook. */
export function addAlarms(alarms: Alarms, subject: AlarmSubject): void {
  addQueueAlarms(alarms, subject);
  addCloudAlarms(alarms, subject);
  addWorkAlarms(alarms, subject);
}

interface AlarmSubject {
  stage: Stage;
  resources: Resources;
}

function addQueueAlarms(alarms: Alarms, { stage: { limits }, resources }: AlarmSubject): void {
  const { runs, deliveries, retries, jobs, heartbeat } = resources;
  // Dead letters of schedules ring ScheduleErrors.
  for (const queue of [runs, deliveries, retries, jobs])
    alarms.watch(`DeadLetters-${queue.name}`, {
      runbook: `dead-letters-${queue.name}`,
      text: `Messages came into the dead-letter queue of ${queue.name}.`,
      metric: newDeadLetters(queue),
      above: 0,
      ...ONE_MINUTE,
    });
  alarms.watch('OldestTrigger', {
    runbook: 'triggers-wait',
    text: 'A trigger waits for its run.',
    metric: oldestMessage(runs),
    above: LATE_SECONDS.trigger + Math.ceil(limits.runTimeoutMs / 1_000),
    ...AGE,
  });
  alarms.watch('OldestDelivery', {
    runbook: 'deliveries-wait',
    text: 'An event waits for its first delivery.',
    metric: oldestMessage(deliveries),
    above: LATE_SECONDS.event,
    ...AGE,
  });
  alarms.watch('Heartbeat', {
    runbook: 'the-heartbeat-fails',
    text: 'The service does not answer at its public names, or its queues stand still.',
    metric: missedReports(heartbeat),
    above: 0,
    isExpected: true,
    ...TWO_IN_A_ROW,
  });
}

/** Errors and limits of the services of AWS. */
function addCloudAlarms(alarms: Alarms, { stage: { stackName, concurrency }, resources }: AlarmSubject): void {
  const { table, schedules, ingress, publicApi } = resources;
  for (const [name, { apiId }] of Object.entries({ API: publicApi, Endpoints: ingress }))
    alarms.watch(`${name}Errors`, {
      runbook: 'requests-fail',
      text: `Requests fail with a status of 5xx: ${name}.`,
      metric: requestCount('5xx', apiId),
      above: 0,
      rollsBack: true,
      ...SEVERAL_MINUTES,
    });
  alarms.watch('EndpointsRefuse', {
    runbook: 'endpoints-answer-429',
    text: 'Endpoints refuse most of their requests with a status of 4xx.',
    metric: refusedPercent(ingress.apiId),
    above: MOST,
    ...SEVERAL_MINUTES,
  });
  alarms.watch('FunctionErrors', {
    runbook: 'functions-fail',
    text: 'A function of the stack failed.',
    metric: ownMetric(stackName, 'FunctionFailures'),
    above: 0,
    ...ONE_MINUTE,
  });
  alarms.watch('FunctionThrottles', {
    runbook: 'functions-are-throttled',
    text: 'Lambda refuses invocations, because the concurrency of the account or of a function is used up.',
    metric: lambdaCount('Throttles'),
    above: 0,
    ...SEVERAL_MINUTES,
  });
  alarms.watch('ConcurrentExecutions', {
    runbook: 'functions-are-throttled',
    text: `More than 80 % of the ${concurrency.account} concurrent executions of the account are in use.`,
    metric: lambdaMaximum('ConcurrentExecutions'),
    above: Math.floor(MUCH * concurrency.account),
    ...SEVERAL_MINUTES,
  });
  alarms.watch('TableThrottles', {
    runbook: 'the-table-is-throttled',
    text: 'DynamoDB refuses reads or writes.',
    metric: tableThrottles(table.name),
    above: 0,
    ...SEVERAL_MINUTES,
  });
  alarms.watch('ScheduleErrors', {
    runbook: 'schedules-fail',
    text: 'Schedules cannot send their messages.',
    metric: scheduleCount('TargetErrorCount', schedules.groupName),
    above: 0,
    ...ONE_MINUTE,
  });
}

/** Runs and deliveries that fail, by the service's own metrics. */
function addWorkAlarms(alarms: Alarms, { stage: { stackName, alarmThresholds } }: AlarmSubject): void {
  alarms.watch('FailedRuns', {
    runbook: 'runs-fail',
    text: 'Runs of sources keep failing, or a quota refuses them.',
    metric: ownMetric(stackName, SERVICE_METRICS.runsFailed),
    above: alarmThresholds.failedRuns - 1,
    ...LASTING,
  });
  alarms.watch('FailedDeliveries', {
    runbook: 'deliveries-fail',
    text: 'Deliveries keep failing.',
    metric: ownMetric(stackName, SERVICE_METRICS.deliveriesFailed),
    above: alarmThresholds.failedDeliveries - 1,
    ...LASTING,
  });
  alarms.watch('FailedRenewals', {
    runbook: 'accounts-that-are-not-renewed',
    text: 'Access tokens of accounts cannot be renewed.',
    metric: ownMetric(stackName, 'FailedRenewals'),
    above: alarmThresholds.failedRenewals - 1,
    ...LASTING,
  });
}
