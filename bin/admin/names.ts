import { DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';
import * as z from 'zod';
import { Concurrency } from '../../infra/concurrency.ts';
import { deploymentParts } from '../../infra/tributary/deployment-name.ts';
import { Limits } from '../../shared/domain/limits.ts';
import type { TargetRule } from '../../shared/domain/target/target-rule.ts';
import { refusedFailure } from '../tributary/failures.ts';
import { cloudFormationClient } from './operator-clients.ts';
import { reasonOf } from './reason.ts';

const Addresses = z.object({ url: z.string(), deadLettersUrl: z.string(), mapping: z.string().optional() });

/** Names of a stack's resources and its limits, by the names of its outputs with a small first letter. */
const Names = z
  .object({
    tableName: z.string(),
    bucketName: z.string(),
    runsQueueUrl: z.string(),
    /** The addresses of each queue, and the id of its event-source mapping. */
    queues: z
      .string()
      .transform(parsed)
      .pipe(z.object({ runs: Addresses, deliveries: Addresses, retries: Addresses, timers: Addresses })),
    schedulesDeadLettersUrl: z.string(),
    builderFunction: z.string(),
    runnerFunction: z.string(),
    renewerFunction: z.string(),
    apiUrl: z.string(),
    ingressUrl: z.string(),
    accountKeyArn: z.string(),
    schedulesRoleArn: z.string(),
    scheduleGroup: z.string(),
    auditLogGroup: z.string(),
    concurrency: z.string().transform(parsed).pipe(Concurrency),
    limits: z.string().transform(parsed).pipe(Limits),
    allowPrivateNetwork: z.enum(['0', '1']).transform((flag) => flag === '1'),
    /** Patterns of ARNs that deliveries may be sent to. Absent without targets. */
    targets: z
      .string()
      .default('')
      .transform((text) => text.split(',').filter(Boolean)),
  })
  .transform(({ apiUrl, targets, ...names }) => ({
    ...names,
    /** Origin of the API for browsers. */
    publicApiUrl: apiUrl.replace(/\/v1$/, ''),
    targetRule: { patterns: targets, ownQueues: queuesOf(names) } satisfies TargetRule,
  }));
export type Names = z.output<typeof Names>;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

interface QueueNames {
  accountKeyArn: string;
  schedulesDeadLettersUrl: string;
  queues: Readonly<Record<string, z.output<typeof Addresses>>>;
}

/** ARNs of the stack's own queues, which are of the partition and region of its key. */
function queuesOf({ accountKeyArn, schedulesDeadLettersUrl, queues }: QueueNames): string[] {
  const [, partition, , region] = accountKeyArn.split(':');
  const urls = Object.values(queues).flatMap(({ url, deadLettersUrl }) => [url, deadLettersUrl]);
  return [...urls, schedulesDeadLettersUrl].map((url) =>
    ['arn', partition, 'sqs', region, ...url.split('/').slice(-2)].join(':'),
  );
}

/** Parses the outputs of a stack, of AWS or of the embedded cloud. */
export function namesFrom(outputs: Readonly<Record<string, string>>): Names {
  const entries = Object.entries(outputs).map(([name, value]) => [name.charAt(0).toLowerCase() + name.slice(1), value]);
  const { success, data, error } = Names.safeParse(Object.fromEntries(entries));
  if (success) return data;
  const paths = error.issues.map(({ path }) => String(path[0]));
  const missing = [...new Set(paths.map((name) => name.charAt(0).toUpperCase() + name.slice(1)))];
  throw refusedFailure(
    `The stack lacks the ${missing.length === 1 ? 'output' : 'outputs'} ${missing.join(', ')}: deploy this version of it first.`,
  );
}

/** The outputs of a deployment on AWS, read with the caller's credentials. */
export async function outputsOfStack(deployment: string): Promise<Record<string, string>> {
  const { prefix } = deploymentParts(deployment);
  const { Outputs: outputs = [] } = await describeStack(deployment);
  const all = outputs.flatMap(({ OutputKey: key, OutputValue: value }): [string, string][] =>
    key !== undefined && value !== undefined ? [[key, value]] : [],
  );
  const own = all.flatMap(([key, value]) => (key.startsWith(prefix) ? [[key.slice(prefix.length), value]] : []));
  const found = Object.fromEntries(own);
  const others = all.flatMap(([key]) => /^(.+)RunsQueueUrl$/.exec(key)?.[1] ?? []);
  if (found.RunsQueueUrl === undefined && others.length > 0)
    throw refusedFailure(
      `The stack has ${others.length === 1 ? 'a deployment' : 'deployments'} in ${others.join(', ')}: give --stack ${others.map((id) => `${deploymentParts(deployment).stackName}_${id}`).join(' or ')}.`,
    );
  return found;
}

/** The error of CloudFormation is `ValidationError` both for a missing stack and for an invalid name. */
export async function describeStack(deployment: string): Promise<Stack> {
  const { stackName } = deploymentParts(deployment);
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
