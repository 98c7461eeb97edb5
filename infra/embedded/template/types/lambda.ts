import { functionArn, named, type ResourceType } from '../resource-type.ts';

export const lambdaFunction: ResourceType = {
  properties: {
    FunctionName: 'interpreted',
    'Code.S3Bucket': 'without effect here, because the asset is taken from the folder it was made in',
    'Code.S3Key': 'interpreted',
    Handler: 'interpreted',
    Role: 'interpreted',
    'Environment.Variables': 'interpreted',
    Timeout: 'interpreted',
    MemorySize: 'interpreted',
    ReservedConcurrentExecutions: 'interpreted',
    'TenancyConfig.TenantIsolationMode': 'interpreted',
    RecursiveLoop: 'without effect here, because loops are not detected',
    Runtime: 'without effect here, because functions run in the Node that runs the service',
    Architectures: 'without effect here, because functions run on the machine that runs the service',
    Description: 'without effect here, because nothing reads it',
    'EphemeralStorage.Size': 'without effect here, because the temporary directory is as large as the disk',
    'LoggingConfig.LogFormat': 'without effect here, because lines are written as the function writes them',
    'LoggingConfig.LogGroup': 'interpreted',
    'LoggingConfig.ApplicationLogLevel': 'without effect here, because every line goes to one log',
    'LoggingConfig.SystemLogLevel': 'without effect here, because there are no system lines',
    'TracingConfig.Mode': 'without effect here, because there are no traces',
    KmsKeyArn: 'without effect here, because the environment is only in memory',
    Tags: 'without effect here, because nothing reads them',
  },
  identify({ logicalId, text }) {
    const name = text('FunctionName') ?? logicalId;
    return { ref: name, attributes: { Arn: functionArn(name) } };
  },
};

export const permission: ResourceType = {
  properties: {
    Action: 'interpreted',
    FunctionName: 'interpreted',
    Principal: 'interpreted',
    SourceArn: 'interpreted',
    SourceAccount: 'interpreted',
  },
  identify: named,
};

export const eventSourceMappingType: ResourceType = {
  properties: {
    BatchSize: 'interpreted',
    Enabled: 'interpreted',
    EventSourceArn: 'interpreted',
    FunctionName: 'interpreted',
    FunctionResponseTypes: 'interpreted',
    MaximumBatchingWindowInSeconds: 'interpreted',
    'ScalingConfig.MaximumConcurrency': 'interpreted',
    Tags: 'without effect here, because nothing reads them',
  },
  identify: named,
};
