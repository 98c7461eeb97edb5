import { ArnFormat, Stack } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnSubscription, type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { Stage } from '../stage.ts';

/** Notifies the topic and the e-mail address of the stage. Without both, alarms are only visible in CloudWatch. */
export class Alarms extends Construct {
  private readonly topics: ITopic[] = [];

  constructor(scope: Construct, id: string, { alarmTopicArn, alarmEmail }: Stage) {
    super(scope, id);
    if (alarmTopicArn !== undefined) this.topics.push(Topic.fromTopicArn(this, 'Existing', alarmTopicArn));
    if (alarmEmail !== undefined) this.topics.push(this.topicFor(alarmEmail));
  }

  notify(alarm: Alarm): void {
    for (const topic of this.topics) alarm.addAlarmAction(new SnsAction(topic));
  }

  /** The address must confirm the subscription: AWS sends it a link. */
  private topicFor(email: string): Topic {
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
    new CfnSubscription(this, 'Email', { topicArn: topic.topicArn, protocol: 'email', endpoint: email });
    return topic;
  }
}
