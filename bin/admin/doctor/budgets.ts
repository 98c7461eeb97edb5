import { type CloudFormationClient, ValidateTemplateCommand } from '@aws-sdk/client-cloudformation';

const TEMPLATE = JSON.stringify({ Resources: { Budget: { Type: 'AWS::Budgets::Budget', Properties: {} } } });

/**
 * Whether CloudFormation has budgets in the client's region. It refuses a template with an unknown type as a deployment
 * would: https://github.com/aws-cloudformation/cloudformation-coverage-roadmap/issues/2177
 */
export async function knowsBudgets(cloudFormation: CloudFormationClient): Promise<boolean> {
  try {
    await cloudFormation.send(new ValidateTemplateCommand({ TemplateBody: TEMPLATE }));
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.includes('Unrecognized resource types')) return false;
    throw error;
  }
}
