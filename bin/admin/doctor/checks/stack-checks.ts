import { paginateListStackResources } from '@aws-sdk/client-cloudformation';
import {
  type AlarmHistoryItem,
  DescribeAlarmHistoryCommand,
  DescribeAlarmsCommand,
  type MetricAlarm,
  SetAlarmStateCommand,
} from '@aws-sdk/client-cloudwatch';
import { DescribeLogStreamsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { deploymentParts } from '../../../../infra/tributary/deployment-name.ts';
import { queryRequest } from '../../query-request.ts';
import { knowsBudgets } from '../budgets.ts';
import type { Subject } from '../doctor-subject.ts';
import { cloudFormationClient, cloudWatchClient, logsClient } from '../../operator-clients.ts';
import { type Check, hold, Unused } from './claim.ts';
import { mirrored } from './mirror-request.ts';

const LOGGED_WITHIN_MS = 120_000;
const NOTIFIED_WITHIN_MS = 60_000;

/** Logical id and name of each resource of a type, without the ids of the construct. */
async function resourcesOf(subject: Subject, type: string): Promise<[id: string, name: string][]> {
  const { stackName, prefix } = deploymentParts(subject.stackName);
  const pages = paginateListStackResources({ client: cloudFormationClient() }, { StackName: stackName });
  const found: [string, string][] = [];
  for await (const { StackResourceSummaries = [] } of pages) {
    for (const { ResourceType, LogicalResourceId: id, PhysicalResourceId: name } of StackResourceSummaries)
      if (ResourceType === type && id?.startsWith(prefix) === true && name !== undefined)
        found.push([id.slice(prefix.length), name]);
  }
  return found;
}

/**
 * Logical ids of the log groups of functions and of the API to which a request to a mirror writes lines, at the level
 * `info`.
 */
const WRITERS = /^(?:Sources|Ingress|PublicApi)/;

const logs: Check = {
  name: 'logs',
  claim: 'The ARN of a log group covers its streams: functions and the API write to their own.',
  async ask(subject) {
    await mirrored(subject, '/logs');
    const groups = await resourcesOf(subject, 'AWS::Logs::LogGroup');
    const writers = groups.filter(([id]) => WRITERS.test(id));
    let silent = writers;
    await subject.until(LOGGED_WITHIN_MS, async () => {
      const written = await Promise.all(silent.map(([, name]) => hasStream(name)));
      silent = silent.filter((_, n) => !written[n]);
      return silent.length === 0 ? true : undefined;
    });
    hold(
      silent.length === 0,
      `Nothing was written to ${silent.map(([id]) => id).join(', ')} (functions need the logLevel info or debug)`,
    );
    return `${writers.length} log groups have streams`;
  },
};

async function hasStream(logGroupName: string): Promise<boolean> {
  const { logStreams = [] } = await logsClient().send(new DescribeLogStreamsCommand({ logGroupName, limit: 1 }));
  return logStreams.length > 0;
}

const alarms: Check = {
  name: 'alarms',
  claim: 'CloudWatch may publish to the topics that alarms notify.',
  async ask(subject) {
    const cloudWatch = cloudWatchClient();
    const notifying = await notifyingAlarms(subject);
    // Only a change of its state makes an alarm notify.
    const alarm = notifying.find(({ StateValue }) => StateValue !== 'ALARM');
    if (!alarm) throw new Error('Every alarm is in the state ALARM');
    const { AlarmName, AlarmActions: { length: topics } = [] } = alarm;
    const before = new Set((await actionsOf(AlarmName)).map(({ Timestamp }) => Timestamp?.getTime()));
    const StateReason = 'The doctor tests the notification. CloudWatch sets the state back.';
    await cloudWatch.send(new SetAlarmStateCommand({ AlarmName, StateValue: 'ALARM', StateReason }));
    const made = await subject.until(NOTIFIED_WITHIN_MS, async () => {
      const actions = await actionsOf(AlarmName);
      const later = actions.filter(({ Timestamp }) => !before.has(Timestamp?.getTime()));
      return later.length >= topics ? later : undefined;
    });
    hold(made !== undefined, `The alarm notified nobody within ${NOTIFIED_WITHIN_MS / 1_000} s`);
    for (const { HistorySummary = '' } of made)
      hold(HistorySummary.startsWith('Successfully executed action'), HistorySummary);
    return `an alarm notified ${topics} ${topics === 1 ? 'topic' : 'topics'}`;
  },
};

async function notifyingAlarms(subject: Subject): Promise<MetricAlarm[]> {
  const AlarmNames = (await resourcesOf(subject, 'AWS::CloudWatch::Alarm')).map(([, name]) => name);
  const { MetricAlarms = [] } = await cloudWatchClient().send(new DescribeAlarmsCommand({ AlarmNames }));
  const notifying = MetricAlarms.filter(({ AlarmActions = [] }) => AlarmActions.length > 0);
  if (notifying.length === 0) throw new Unused('The alarms of the stage notify no topic');
  return notifying;
}

const subscribers: Check = {
  name: 'subscribers',
  claim: 'Each topic that alarms notify has a subscriber that confirmed.',
  async ask(subject) {
    const topics = new Set((await notifyingAlarms(subject)).flatMap(({ AlarmActions = [] }) => AlarmActions));
    const counts = await Promise.all([...topics].map(confirmedOf));
    const silent = counts.filter((count) => count === 0).length;
    hold(silent === 0, `${silent} of ${topics.size} topics have none: open the link in the mail of AWS, or subscribe`);
    return `${counts.reduce((sum, count) => sum + count, 0)} confirmed`;
  },
};

/** https://docs.aws.amazon.com/sns/latest/api/API_GetTopicAttributes.html */
async function confirmedOf(TopicArn: string): Promise<number> {
  const body = new URLSearchParams({ Action: 'GetTopicAttributes', Version: '2010-03-31', TopicArn }).toString();
  const { text } = await queryRequest(cloudWatchClient(), { service: 'sns', body });
  const [, count] = /<key>SubscriptionsConfirmed<\/key>\s*<value>(\d+)<\/value>/.exec(text) ?? [];
  if (count !== undefined) return Number(count);
  throw new Error(`SNS does not tell the subscribers: ${/<Message>([^<]*)/.exec(text)?.[1] ?? 'no reason'}`);
}

/** The last notifications of an alarm. */
async function actionsOf(AlarmName: string | undefined): Promise<AlarmHistoryItem[]> {
  const query = new DescribeAlarmHistoryCommand({ AlarmName, HistoryItemType: 'Action' });
  return (await cloudWatchClient().send(query)).AlarmHistoryItems ?? [];
}

const budget: Check = {
  name: 'budget',
  claim: 'CloudFormation has budgets in the region of the stack.',
  async ask() {
    hold(await knowsBudgets(cloudFormationClient()), 'AWS::Budgets::Budget is an unrecognized resource type');
    return 'AWS::Budgets::Budget is a resource type';
  },
};

export const stackChecks = [logs, alarms, subscribers, budget];
