import { arn, named, type ResourceType } from '../resource-type.ts';

const noMetrics = 'without effect here, because there are no metrics';
const oneLog = 'without effect here, because every line goes to one log';

export const logGroup: ResourceType = {
  properties: {
    LogGroupName: oneLog,
    KmsKeyId: oneLog,
    RetentionInDays: oneLog,
    Tags: oneLog,
  },
  identify: ({ logicalId }) => ({
    ref: logicalId,
    attributes: { Arn: arn('logs', `log-group:${logicalId}:*`) },
  }),
};

export const metricFilter: ResourceType = {
  properties: {
    FilterPattern: noMetrics,
    LogGroupName: noMetrics,
    MetricTransformations: noMetrics,
  },
  identify: named,
};

export const alarm: ResourceType = {
  properties: {
    AlarmActions: noMetrics,
    AlarmDescription: noMetrics,
    ComparisonOperator: noMetrics,
    DatapointsToAlarm: noMetrics,
    Dimensions: noMetrics,
    EvaluationPeriods: noMetrics,
    MetricName: noMetrics,
    Metrics: noMetrics,
    Namespace: noMetrics,
    Period: noMetrics,
    Statistic: noMetrics,
    Threshold: noMetrics,
    TreatMissingData: noMetrics,
    Tags: noMetrics,
  },
  identify: ({ logicalId }) => ({
    ref: logicalId,
    attributes: { Arn: arn('cloudwatch', `alarm:${logicalId}`) },
  }),
};

export const dashboard: ResourceType = {
  properties: { DashboardBody: noMetrics, Tags: noMetrics },
  identify: named,
};

export const queryDefinition: ResourceType = {
  properties: { LogGroupNames: oneLog, Name: oneLog, QueryString: oneLog },
  identify: named,
};

export const topic: ResourceType = {
  properties: {
    KmsMasterKeyId: noMetrics,
    Tags: 'without effect here, because only alarms write to it and there are none',
  },
  identify: ({ logicalId }) => ({ ref: arn('sns', logicalId), attributes: {} }),
};
