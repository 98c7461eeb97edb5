import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import * as z from 'zod';
import { Limits } from '../../shared/domain/limits.ts';
import { CannotDo } from './command.ts';
import type { Names } from './operator.ts';

const Outputs = z.object({
  TableName: z.string(),
  BucketName: z.string(),
  RunsQueueUrl: z.string(),
  BuilderFunction: z.string(),
  RunnerFunction: z.string(),
  IngressUrl: z.string(),
  Limits: z.string(),
});

/** The outputs of the stack, whichever cloud they come from. */
export function namesFrom(given: unknown): Names {
  const { success, data, error } = Outputs.safeParse(given);
  if (!success) {
    const missing = error.issues.map(({ path }) => path.join('.')).join(', ');
    throw new CannotDo(`The stack lacks the outputs ${missing}: deploy this version of it first.`);
  }
  return {
    tableName: data.TableName,
    bucketName: data.BucketName,
    runsQueueUrl: data.RunsQueueUrl,
    builderFunction: data.BuilderFunction,
    runnerFunction: data.RunnerFunction,
    ingressUrl: data.IngressUrl,
    limits: Limits.parse(JSON.parse(data.Limits)),
  };
}

/** The outputs of a stack on AWS, found with the caller's own credentials. */
export async function outputsOfStack(stackName: string): Promise<Record<string, string>> {
  const cloudFormation = new CloudFormationClient();
  const { Stacks = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName: stackName }));
  const [stack] = Stacks;
  if (!stack) throw new CannotDo(`There is no stack ${stackName}.`);
  return Object.fromEntries(
    (stack.Outputs ?? []).flatMap(({ OutputKey, OutputValue }) =>
      OutputKey !== undefined && OutputValue !== undefined ? [[OutputKey, OutputValue]] : [],
    ),
  );
}
