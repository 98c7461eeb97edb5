import { ArnFormat, Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnSubscription, type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { Stage } from '../stage.ts';

interface Watched {
  /** Anchor in docs/operations.md. */
  runbook: string;
  /** The first sentence of the mail. */
  text: string;
  metric: IMetric;
  /** A minute is bad when its value is greater. */
  above: number;
  /** The alarm rings when so many of the last minutes are bad. It is quiet again when fewer are. */
  bad: number;
  of: number;
  rollsBack?: boolean;
  /** A minute without a value is bad. */
  isExpected?: boolean;
}

/** Notifies the topic and the e-mail address of the stage. Without both, alarms are only visible in CloudWatch. */
export class Alarms extends Construct {
  readonly all: Alarm[] = [];
  /** A deployment during which one of these rings is taken back. */
  readonly rollback: Alarm[] = [];
  private readonly topics: ITopic[] = [];
  private readonly runbookUrl: string;

  constructor(scope: Construct, id: string, { alarmTopicArn, alarmEmail, runbookUrl }: Stage) {
    super(scope, id);
    this.runbookUrl = runbookUrl;
    if (alarmTopicArn !== undefined) this.topics.push(Topic.fromTopicArn(this, 'Existing', alarmTopicArn));
    if (alarmEmail !== undefined)
      new CfnSubscription(this, 'Email', {
        topicArn: this.createTopic().topicArn,
        protocol: 'email',
        endpoint: alarmEmail,
      });
  }

  /** Without `isExpected` a minute without a value is good: most metrics have values only while something happens. */
  watch(id: string, { runbook, text, metric, above, bad, of, rollsBack = false, isExpected = false }: Watched): void {
    const alarm = new Alarm(this, id, {
      alarmDescription: `${text} What to do: ${this.runbookUrl}#${runbook}`,
      metric,
      threshold: above,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      datapointsToAlarm: bad,
      evaluationPeriods: of,
      treatMissingData: isExpected ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    for (const topic of this.topics) alarm.addAlarmAction(new SnsAction(topic));
    this.all.push(alarm);
    if (rollsBack) this.rollback.push(alarm);
  }

  /** The topic of the stage that has subscribers of this stack, or a new one. */
  topic(): ITopic {
    return this.topics.at(-1) ?? this.createTopic();
  }

  /** Subscribers by e-mail must confirm: AWS sends them a link. */
  private createTopic(): Topic {
    const topic = new Topic(this, 'Topic', { enforceSSL: true });
    const { account } = Stack.of(this);
    // A topic with a policy of its own has no default policy.
    topic.addToResourcePolicy(
      new PolicyStatement({
        sid: 'AlarmsPublish',
        effect: Effect.ALLOW,
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: {
          StringEquals: { 'aws:SourceAccount': account },
          ArnLike: {
            'aws:SourceArn': Stack.of(this).formatArn({
              service: 'cloudwatch',
              resource: 'alarm',
              arnFormat: ArnFormat.COLON_RESOURCE_NAME,
              resourceName: '*',
            }),
          },
        },
      }),
    );
    this.topics.push(topic);
    for (const alarm of this.all) alarm.addAlarmAction(new SnsAction(topic));
    return topic;
  }
}
