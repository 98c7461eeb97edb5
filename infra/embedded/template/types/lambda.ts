import { functionArn, named, type ResourceType } from '../resource-type.ts';

export const lambdaFunction: ResourceType = {
  properties: {
    'Code.S3Bucket': 'without effect here, because the asset is taken from the folder it was made in',
    'Code.S3Key': 'interpreted',
    Handler: 'interpreted',
    Role: 'interpreted',
    'Environment.Variables': 'interpreted',
    Timeout: 'interpreted',
    TracingConfig: 'without effect here, because there is no X-Ray',
    MemorySize: 'interpreted',
    ReservedConcurrentExecutions: 'interpreted',
    'TenancyConfig.TenantIsolationMode': 'interpreted',
    RecursiveLoop: 'without effect here, because loops are not detected',
    Runtime: 'without effect here, because functions run in the Node that runs the service',
    Architectures: 'without effect here, because functions run on the machine that runs the service',
    'EphemeralStorage.Size': 'without effect here, because the temporary directory is as large as the disk',
    'LoggingConfig.LogGroup': 'interpreted',
    'LoggingConfig.LogFormat': 'without effect here, because lines are JSON as the functions write them',
    'LoggingConfig.SystemLogLevel': 'without effect here, because invocations have no lines of their own',
    KmsKeyArn: 'without effect here, because the disk is encrypted by its owner',
    Tags: 'without effect here, because nothing reads them',
  },
  identify: ({ logicalId }) => ({ ref: logicalId, attributes: { Arn: functionArn(logicalId) } }),
};

/** Function URLs have the origin of the API here: its routes lead to them. */
export const functionUrl: ResourceType = {
  properties: {
    AuthType: 'interpreted',
    InvokeMode: 'interpreted',
    TargetFunctionArn: 'interpreted',
    Cors: 'without effect here, because requests come through the API, which has its own rule',
  },
  identify: ({ logicalId, origins }) => ({
    ref: functionArn(logicalId),
    attributes: { FunctionUrl: `${origins.api}/` },
  }),
};

export const permission: ResourceType = {
  properties: {
    Action: 'interpreted',
    FunctionName: 'interpreted',
    Principal: 'interpreted',
    SourceArn: 'interpreted',
    SourceAccount: 'interpreted',
    FunctionUrlAuthType: 'interpreted',
    InvokedViaFunctionUrl: 'interpreted',
  },
  identify: named,
};

export const eventSourceMappingType: ResourceType = {
  properties: {
    BatchSize: 'interpreted',
    EventSourceArn: 'interpreted',
    FunctionName: 'interpreted',
    FunctionResponseTypes: 'interpreted',
    'ScalingConfig.MaximumConcurrency': 'interpreted',
    Tags: 'without effect here, because nothing reads them',
  },
  identify: named,
};
