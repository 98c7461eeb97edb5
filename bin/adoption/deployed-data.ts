import { type CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import * as z from 'zod';
import { deploymentParts } from '../../infra/tributary/deployment-name.ts';

const Template = z.looseObject({
  Resources: z.record(z.string(), z.looseObject({ Type: z.string(), DeletionPolicy: z.string().optional() })),
});

/** The resources that leave the template of a stack which adopts others. */
const STORED: ReadonlySet<string> = new Set(['AWS::DynamoDB::GlobalTable', 'AWS::S3::Bucket', 'AWS::KMS::Key']);
const KEEPING: ReadonlySet<string | undefined> = new Set(['Retain', 'RetainExceptOnCreate']);

/**
 * The logical ids of stored data that CloudFormation deletes when a deployment adopts other data: the policy of the
 * last deployment decides. Empty for a stack that does not exist.
 */
export async function deletedByAdoption(cloudFormation: CloudFormationClient, deployment: string): Promise<string[]> {
  const { stackName, prefix } = deploymentParts(deployment);
  const { Resources } = await deployedTemplate(cloudFormation, stackName);
  return Object.entries(Resources)
    .filter(
      ([id, { Type, DeletionPolicy: policy }]) => id.startsWith(prefix) && STORED.has(Type) && !KEEPING.has(policy),
    )
    .map(([id]) => id)
    .sort();
}

/** Why nothing may be adopted yet, and the mend. */
export const deletionSentence = (stackName: string, ids: readonly string[]): string =>
  `The deployment of stage.adopt would delete ${ids.join(', ')}: the stack ${stackName} was last deployed with stage.retention.data "delete". ` +
  'Set it to "retain" and deploy once without stage.adopt.';

async function deployedTemplate(cloudFormation: CloudFormationClient, stackName: string) {
  try {
    const { TemplateBody: body } = await cloudFormation.send(
      new GetTemplateCommand({ StackName: stackName, TemplateStage: 'Original' }),
    );
    return Template.parse(body === undefined ? { Resources: {} } : JSON.parse(body));
  } catch (error) {
    // CloudFormation has no error of its own for this.
    if (error instanceof Error && error.name === 'ValidationError' && error.message.includes('does not exist'))
      return { Resources: {} };
    throw error;
  }
}
