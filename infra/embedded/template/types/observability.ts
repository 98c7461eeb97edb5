import { arn, type ResourceType } from '../resource-type.ts';

const noMetrics = 'without effect here, because there are no metrics';
const oneLog = 'without effect here, because every line goes to one log';

export const logGroup: ResourceType = {
  properties: {
    LogGroupName: 'interpreted',
    RetentionInDays: oneLog,
    LogGroupClass: oneLog,
    KmsKeyId: oneLog,
    DeletionProtectionEnabled: oneLog,
    Tags: oneLog,
  },
  identify({ logicalId, text }) {
    const name = text('LogGroupName') ?? logicalId;
    return { ref: name, attributes: { Arn: arn('logs', `log-group:${name}:*`) } };
  },
};

export const alarm: ResourceType = {
  properties: {
    ActionsEnabled: noMetrics,
    AlarmActions: noMetrics,
    AlarmDescription: noMetrics,
    AlarmName: noMetrics,
    ComparisonOperator: noMetrics,
    DatapointsToAlarm: noMetrics,
    Dimensions: noMetrics,
    EvaluationPeriods: noMetrics,
    ExtendedStatistic: noMetrics,
    InsufficientDataActions: noMetrics,
    MetricName: noMetrics,
    Metrics: noMetrics,
    Namespace: noMetrics,
    OKActions: noMetrics,
    Period: noMetrics,
    Statistic: noMetrics,
    Threshold: noMetrics,
    TreatMissingData: noMetrics,
    Unit: noMetrics,
    Tags: noMetrics,
  },
  identify({ logicalId, text }) {
    const name = text('AlarmName') ?? logicalId;
    return { ref: name, attributes: { Arn: arn('cloudwatch', `alarm:${name}`) } };
  },
};

const noAlarms = 'without effect here, because only alarms write to it and there are none';

export const topic: ResourceType = {
  properties: {
    TopicName: 'interpreted',
    DisplayName: noAlarms,
    KmsMasterKeyId: noAlarms,
    Subscription: noAlarms,
    Tags: noAlarms,
  },
  identify({ logicalId, text }) {
    const name = text('TopicName') ?? logicalId;
    return { ref: arn('sns', name), attributes: { TopicArn: arn('sns', name), TopicName: name } };
  },
};
