import { DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';
import * as z from 'zod';
import { Concurrency } from '../../infra/concurrency.ts';
import { Limits } from '../../shared/domain/limits.ts';
import { refusedFailure } from '../tributary/failures.ts';
import type { Names } from './operator.ts';
import { cloudFormationClient } from './operator-clients.ts';
import { reasonOf } from './reason.ts';

const Addresses = z.object({ url: z.string(), deadLettersUrl: z.string(), mapping: z.string().optional() });

const Outputs = z.object({
  TableName: z.string(),
  BucketName: z.string(),
  RunsQueueUrl: z.string(),
  Queues: z
    .string()
    .transform(parsed)
    .pipe(z.object({ runs: Addresses, deliveries: Addresses, retries: Addresses, timers: Addresses })),
  SchedulesDeadLettersUrl: z.string(),
  BuilderFunction: z.string(),
  RunnerFunction: z.string(),
  RenewerFunction: z.string(),
  ApiUrl: z.string(),
  IngressUrl: z.string(),
  AccountKeyArn: z.string(),
  SchedulesRoleArn: z.string(),
  ScheduleGroup: z.string(),
  AuditLogGroup: z.string(),
  Concurrency: z.string().transform(parsed).pipe(Concurrency),
  Limits: z.string().transform(parsed).pipe(Limits),
  AllowPrivateNetwork: z.enum(['0', '1']),
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Parses the outputs of a stack, of AWS or of the embedded cloud. */
export function namesFrom(outputs: unknown): Names {
  const { success, data, error } = Outputs.safeParse(outputs);
  if (!success) {
    const missing = [...new Set(error.issues.map(({ path }) => String(path[0])))];
    throw refusedFailure(
      `The stack lacks the ${missing.length === 1 ? 'output' : 'outputs'} ${missing.join(', ')}: deploy this version of it first.`,
    );
  }
  return {
    tableName: data.TableName,
    bucketName: data.BucketName,
    runsQueueUrl: data.RunsQueueUrl,
    queues: data.Queues,
    schedulesDeadLettersUrl: data.SchedulesDeadLettersUrl,
    builderFunction: data.BuilderFunction,
    runnerFunction: data.RunnerFunction,
    renewerFunction: data.RenewerFunction,
    publicApiUrl: data.ApiUrl.replace(/\/v1$/, ''),
    ingressUrl: data.IngressUrl,
    accountKeyArn: data.AccountKeyArn,
    schedulesRoleArn: data.SchedulesRoleArn,
    scheduleGroup: data.ScheduleGroup,
    auditLogGroup: data.AuditLogGroup,
    concurrency: data.Concurrency,
    limits: data.Limits,
    allowPrivateNetwork: data.AllowPrivateNetwork === '1',
  };
}

/** The outputs of a stack on AWS, read with the caller's credentials. */
export async function outputsOfStack(stackName: string): Promise<Record<string, string>> {
  const { Outputs: outputs = [] } = await describeStack(stackName);
  return Object.fromEntries(
    outputs.flatMap(({ OutputKey, OutputValue }) =>
      OutputKey !== undefined && OutputValue !== undefined ? [[OutputKey, OutputValue]] : [],
    ),
  );
}

/** The error of CloudFormation is `ValidationError` both for a missing stack and for an invalid name. */
export async function describeStack(stackName: string): Promise<Stack> {
  const cloudFormation = cloudFormationClient();
  try {
    const { Stacks = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName: stackName }));
    const [stack] = Stacks;
    if (stack) return stack;
  } catch (cause) {
    if (!(cause instanceof Error) || cause.name !== 'ValidationError')
      throw refusedFailure(`The stack ${stackName} cannot be looked up: ${reasonOf(cause)}`);
  }
  const region = await cloudFormation.config.region();
  throw refusedFailure(`There is no stack ${stackName} in ${region} for your credentials.`);
}
