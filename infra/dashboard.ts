import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  type Metric,
  Stats,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { SERVICE_METRICS } from '../shared/domain/metrics/service-metric-names.ts';
import type { Alarms } from './constructs/alarms.ts';
import type { Resources } from './resources.ts';
import type { Stage } from './stage.ts';
import {
  deadLetters,
  lambdaCount,
  lambdaMaximum,
  oldestMessage,
  ownMetric,
  requestCount,
  scheduleCount,
  tableCount,
} from './watched-metrics.ts';

const WIDTH = 24;
const GRAPH = { width: 8, height: 6 };

/**
 * One page: the alarms, then the path of an event from its request to its delivery, then what all of it shares. AWS
 * gives each account three dashboards of up to 50 metrics for nothing.
 */
export function addDashboard(
  scope: Construct,
  { stage, resources, alarms }: { stage: Stage; resources: Resources; alarms: Alarms },
): void {
  const { table, runs, deliveries, retries, jobs, schedules, ingress, publicApi } = resources;
  const own = (name: keyof typeof SERVICE_METRICS, label: string, statistic?: string) =>
    ownMetric(stage.stackName, SERVICE_METRICS[name], statistic).with({ label });
  const requests = (title: string, { apiId }: { apiId: string }) =>
    graph(title, [
      requestCount('Count', apiId).with({ label: 'requests' }),
      requestCount('4xx', apiId).with({ label: '4xx' }),
      requestCount('5xx', apiId).with({ label: '5xx' }),
    ]);
  const named = <Q>(metricOf: (queue: Q) => Metric, ...queues: (NoInfer<Q> & { name: string })[]) =>
    queues.map((queue) => metricOf(queue).with({ label: queue.name }));

  new Dashboard(scope, 'Dashboard', {
    widgets: [
      [
        new TextWidget({
          markdown: `# ${stage.stackName}\nThe text of each alarm names its [runbook](${stage.runbookUrl}).`,
          width: WIDTH,
          height: 2,
        }),
      ],
      [new AlarmStatusWidget({ title: 'Alarms', alarms: alarms.all, width: WIDTH, height: 4 })],
      [
        requests('Endpoints', ingress),
        graph('Age of the oldest message, s', named(oldestMessage, runs, deliveries)),
        graph('Failures of users', [
          own('runsFailed', 'runs, and triggers beyond a quota'),
          own('deliveriesFailed', 'attempts of deliveries'),
        ]),
      ],
      [
        requests('API', publicApi),
        graph('From the storing of an event to its delivery, longest, ms', [
          own('deliveryLag', 'first attempts', Stats.MAXIMUM),
        ]),
        graph('Dead letters that wait', named(deadLetters, runs, deliveries, retries, jobs, schedules)),
      ],
      [
        graph('Functions', [
          ownMetric(stage.stackName, 'FunctionFailures').with({ label: 'failures' }),
          lambdaCount('Throttles').with({ label: 'throttles of the account' }),
        ]),
        graph(`Concurrent executions, of ${stage.concurrency.account}`, [
          lambdaMaximum('ConcurrentExecutions').with({ label: 'the account' }),
        ]),
        graph('Table and schedules', [
          tableCount('WriteThrottleEvents', table.name).with({ label: 'refused writes' }),
          tableCount('ReadThrottleEvents', table.name).with({ label: 'refused reads' }),
          scheduleCount('InvocationAttemptCount', schedules.groupName).with({ label: 'schedules' }),
          scheduleCount('TargetErrorCount', schedules.groupName).with({ label: 'failed schedules' }),
        ]),
      ],
    ],
  });
}

const graph = (title: string, left: IMetric[]): IWidget =>
  new GraphWidget({ title, left, leftYAxis: { min: 0, showUnits: false }, ...GRAPH });
