import type { Template } from '../../support/template.ts';

/**
 * Types of the resources that hold data or an address which others know, each with the properties whose change makes
 * CloudFormation replace the resource.
 */
const STATEFUL: Readonly<Record<string, readonly string[]>> = {
  'AWS::DynamoDB::GlobalTable': ['TableName', 'KeySchema'],
  'AWS::S3::Bucket': ['BucketName'],
  'AWS::KMS::Key': ['KeySpec', 'MultiRegion'],
  'AWS::SQS::Queue': ['QueueName', 'FifoQueue'],
  'AWS::Scheduler::ScheduleGroup': ['Name'],
  'AWS::ApiGatewayV2::Api': ['ProtocolType'],
};

/** The stateful resources of a template by their logical ids. */
export const statefulResources = ({
  Resources,
}: Template): Record<string, { type: string; fixed: Record<string, unknown> }> =>
  Object.fromEntries(
    Object.entries(Resources).flatMap(([id, { Type, Properties }]) => {
      const names = STATEFUL[Type];
      if (names === undefined) return [];
      const fixed = Object.fromEntries(names.flatMap((name) => (name in Properties ? [[name, Properties[name]]] : [])));
      return [[id, { type: Type, fixed }]];
    }),
  );
