import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readStage } from '../../../infra/read-stage.ts';
import { Stage } from '../../../infra/stage.ts';
import { SERVICE_METRICS } from '../../../shared/domain/metrics/service-metric-names.ts';
import { dollars } from '../../programs/costs/prices.ts';
import { FREE_DASHBOARD_METRICS, unitsOfIdle } from '../../programs/costs/model.ts';
import { IDLE_BUDGET } from '../../programs/costs/settings.ts';
import { templateWithoutCode } from '../../support/stack.ts';
import { resourcesOf } from '../../support/template.ts';
import { type Alarm, alarmsOf, type WatchedMetric } from '../../support/cloudwatch/alarms-of.ts';
import { tableIn } from '../../support/doc-table.ts';

const { runbookUrl, concurrency } = Stage.parse({});
const template = templateWithoutCode();
const alarms = alarmsOf(template);
const named = (name: string): Alarm => alarms.find((alarm) => alarm.name === name) ?? expect.fail(name);
const metricsOf = ({ inputs }: Alarm): WatchedMetric[] => [...inputs.values()];
const page = readFileSync('docs/operations.md', 'utf8');
const anchors = [
  ...[...page.matchAll(/^## (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^a-z -]/g, '')
      .replaceAll(' ', '-'),
  ),
  ...[...page.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id),
];

describe.each(alarms.map((alarm): [string, Alarm] => [alarm.name, alarm]))('the alarm %s', (_, alarm) => {
  test('names its runbook on the web, which is a section of docs/operations.md', () => {
    const [, text = '', address = ''] = /^(.{15,}\.) What to do: (\S+)$/.exec(alarm.description) ?? [];
    expect(text).not.toBe('');
    const [url, anchor] = address.split('#');
    expect(url).toBe(runbookUrl);
    expect(anchors).toContain(anchor);
  });

  test('decides on minutes, and takes a minute without values as a good one, but for the heartbeat', () => {
    for (const { period } of metricsOf(alarm)) expect(period).toBe(60);
    expect(alarm.missing).toBe(alarm.name === 'Heartbeat' ? 'breaching' : 'notBreaching');
    expect(alarm.comparison).toBe('GreaterThanThreshold');
  });
});

test('docs/operations.md lists every alarm', () => {
  const listed = tableIn('docs/operations.md', 'Is the service well?').flatMap(([cell = '']) =>
    [...cell.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name),
  );
  const queues = ['runs', 'deliveries', 'retries', 'timers'];
  const expected = listed.flatMap((name) =>
    name === 'DeadLetters-QUEUE' ? queues.map((queue) => `DeadLetters-${queue}`) : [name],
  );
  expect(alarms.map(({ name }) => name).sort()).toEqual(expected.sort());
  // The page says it in words: eighteen alarms.
  expect(alarms).toHaveLength(18);
});

test('alarms read metrics of AWS, which cost nothing, and four of the stage, which have values after a failure only', () => {
  const own = alarms.flatMap(metricsOf).filter(({ namespace }) => !namespace.startsWith('AWS/'));
  expect(own.map(({ namespace, name }) => `${namespace} ${name}`).sort()).toEqual([
    'Tributary/Tributary DeliveriesFailed',
    'Tributary/Tributary FailedRenewals',
    'Tributary/Tributary FunctionFailures',
    'Tributary/Tributary RunsFailed',
  ]);
  expect(Object.keys(SERVICE_METRICS)).toHaveLength(3);
});

test('each watches what its name says', () => {
  const read = (name: string) =>
    metricsOf(named(name)).map(({ namespace, name: metric, statistic, dimensions }) =>
      [namespace, metric, statistic, ...Object.keys(dimensions)].join(' '),
    );
  expect(Object.fromEntries(alarms.map(({ name }) => [name, read(name)]))).toEqual({
    'DeadLetters-runs': ['AWS/SQS ApproximateNumberOfMessagesVisible Maximum QueueName'],
    'DeadLetters-deliveries': ['AWS/SQS ApproximateNumberOfMessagesVisible Maximum QueueName'],
    'DeadLetters-retries': ['AWS/SQS ApproximateNumberOfMessagesVisible Maximum QueueName'],
    'DeadLetters-timers': ['AWS/SQS ApproximateNumberOfMessagesVisible Maximum QueueName'],
    OldestTrigger: ['AWS/SQS ApproximateAgeOfOldestMessage Maximum QueueName'],
    OldestDelivery: ['AWS/SQS ApproximateAgeOfOldestMessage Maximum QueueName'],
    APIErrors: ['AWS/ApiGateway 5xx Sum ApiId'],
    EndpointsErrors: ['AWS/ApiGateway 5xx Sum ApiId'],
    FunctionErrors: ['Tributary/Tributary FunctionFailures Sum'],
    FunctionThrottles: ['AWS/Lambda Throttles Sum'],
    ConcurrentExecutions: ['AWS/Lambda ConcurrentExecutions Maximum'],
    TableThrottles: ['AWS/DynamoDB ReadThrottleEvents Sum TableName', 'AWS/DynamoDB WriteThrottleEvents Sum TableName'],
    EndpointsRefuse: ['AWS/ApiGateway 4xx Sum ApiId', 'AWS/ApiGateway Count Sum ApiId'],
    Heartbeat: ['AWS/SQS NumberOfMessagesSent Sum QueueName'],
    ScheduleErrors: ['AWS/Scheduler TargetErrorCount Sum ScheduleGroup'],
    FailedRuns: ['Tributary/Tributary RunsFailed Sum'],
    FailedDeliveries: ['Tributary/Tributary DeliveriesFailed Sum'],
    FailedRenewals: ['Tributary/Tributary FailedRenewals Sum'],
  });
});

test('thresholds follow the stage: its executions, its longest run, the usual failures of its users', () => {
  expect(named('ConcurrentExecutions').threshold).toBe(0.8 * concurrency.account);
  expect(named('OldestTrigger').threshold).toBe(120);
  expect(named('FailedRuns').threshold).toBe(0);
  const other = alarmsOf(
    templateWithoutCode({
      concurrency: 'standard',
      limits: { runTimeoutMs: 240_000 },
      alarmThresholds: { failedRuns: 20, failedDeliveries: 50, failedRenewals: 5 },
      runbookUrl: 'https://mine.test/runbooks',
    }),
  );
  const found = new Map(other.map((alarm) => [alarm.name, alarm]));
  expect(found.get('ConcurrentExecutions')?.threshold).toBe(800);
  expect(found.get('OldestTrigger')?.threshold).toBe(300);
  expect(found.get('FailedRuns')?.threshold).toBe(19);
  expect(found.get('FailedDeliveries')?.threshold).toBe(49);
  expect(found.get('FailedRenewals')?.threshold).toBe(4);
  for (const { description } of other) expect(description).toContain(' https://mine.test/runbooks#');
});

test(`a stack without sources costs at most $${IDLE_BUDGET} a month`, () => {
  for (const stage of [{}, readStage('dev'), readStage('prod')]) {
    const units = unitsOfIdle(templateWithoutCode(stage));
    expect(units).toMatchObject({ alarmMonth: alarms.flatMap(metricsOf).length, dashboardMonth: 0, keyMonth: 1 });
    expect(dollars(units)).toBeLessThanOrEqual(IDLE_BUDGET);
  }
});

test('the dashboard shows every alarm, and few enough metrics to cost nothing', () => {
  const [[, { Properties }] = expect.fail('no dashboard'), ...others] = resourcesOf(
    template,
    'AWS::CloudWatch::Dashboard',
  );
  expect(others).toEqual([]);
  const text = JSON.stringify(Properties['DashboardBody']);
  for (const { id } of alarms) expect(text).toContain(JSON.stringify(id));
  const metrics = text.match(/\[\\"(?:AWS\/\w+|Tributary\/Tributary)\\",/g) ?? [];
  expect(metrics.length).toBeGreaterThan(20);
  expect(metrics.length).toBeLessThanOrEqual(FREE_DASHBOARD_METRICS);
});

test('saved queries search the logs of all functions for the ids that docs/operations.md searches for', () => {
  const queries = resourcesOf(template, 'AWS::Logs::QueryDefinition').map(([, { Properties }]) => Properties);
  expect(queries.map(({ Name }) => Name)).toEqual(
    ['request', 'changes', 'event', 'delivery'].map((name) => `Tributary/${name}`),
  );
  const groups = resourcesOf(template, 'AWS::Lambda::Function').map(
    ([, { Properties }]) => (Properties['LoggingConfig'] as { LogGroup: { Ref: string } }).LogGroup.Ref,
  );
  for (const { LogGroupNames } of queries)
    expect((LogGroupNames as { Ref: string }[]).map(({ Ref }) => Ref).sort()).toEqual(groups.sort());
  const text = queries.map(({ QueryString }) => QueryString).join('\n');
  for (const [, field = ''] of page.matchAll(/^grep '"(\w+)":/gm)) expect(text).toContain(`${field} = "`);
});
