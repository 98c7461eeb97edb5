import type { ResourceType } from './resource-type.ts';
import { api, integration, route, stage } from './types/api-gateway.ts';
import { globalTable } from './types/dynamodb.ts';
import { role } from './types/iam.ts';
import { key } from './types/kms.ts';
import { eventSourceMappingType, functionUrl, lambdaFunction, permission } from './types/lambda.ts';
import { alarm, dashboard, logGroup, metricFilter, queryDefinition, topic } from './types/observability.ts';
import { bucket, bucketPolicy } from './types/s3.ts';
import { schedule, scheduleGroup } from './types/scheduler.ts';
import { queue, queuePolicy } from './types/sqs.ts';

/** All resource types of the interpreter. */
export const resourceTypes: Readonly<Record<string, ResourceType>> = {
  'AWS::ApiGatewayV2::Api': api,
  'AWS::ApiGatewayV2::Integration': integration,
  'AWS::ApiGatewayV2::Route': route,
  'AWS::ApiGatewayV2::Stage': stage,
  'AWS::CloudWatch::Alarm': alarm,
  'AWS::CloudWatch::Dashboard': dashboard,
  'AWS::DynamoDB::GlobalTable': globalTable,
  'AWS::IAM::Role': role,
  'AWS::KMS::Key': key,
  'AWS::Lambda::EventSourceMapping': eventSourceMappingType,
  'AWS::Lambda::Function': lambdaFunction,
  'AWS::Lambda::Permission': permission,
  'AWS::Lambda::Url': functionUrl,
  'AWS::Logs::LogGroup': logGroup,
  'AWS::Logs::MetricFilter': metricFilter,
  'AWS::Logs::QueryDefinition': queryDefinition,
  'AWS::S3::Bucket': bucket,
  'AWS::S3::BucketPolicy': bucketPolicy,
  'AWS::SNS::Topic': topic,
  'AWS::SQS::Queue': queue,
  'AWS::SQS::QueuePolicy': queuePolicy,
  'AWS::Scheduler::Schedule': schedule,
  'AWS::Scheduler::ScheduleGroup': scheduleGroup,
};
