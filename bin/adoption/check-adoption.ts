import { StageError } from '../../infra/read-stage.ts';
import type { Stage } from '../../infra/stage.ts';

interface CheckOptions {
  env: Readonly<Record<string, string | undefined>>;
  /** Set after the operator confirmed the upgrade. */
  isUnchecked: boolean;
}

/**
 * Stops the deployment of a stage that adopts data while the deployed stack would delete its own. The CDK's command
 * names an account only if it has credentials: a synthesis without them asks nothing, and returns false.
 */
export async function checkAdoption(
  { adopt, stackName }: Pick<Stage, 'adopt' | 'stackName'>,
  { env, isUnchecked }: CheckOptions,
): Promise<boolean> {
  const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = env;
  if (adopt === undefined || isUnchecked) return true;
  if (account === undefined || region === undefined) return false;
  const [{ CloudFormationClient }, { deletedByAdoption, deletionSentence }] = await Promise.all([
    import('@aws-sdk/client-cloudformation'),
    import('./deployed-data.ts'),
  ]);
  const cloudFormation = new CloudFormationClient({ region });
  const deleted = await deletedByAdoption(cloudFormation, stackName).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StageError(
      `The deployed template of ${stackName} cannot be read: ${reason} If that stack has stage.retention.data "delete", the deployment of stage.adopt deletes its data. ` +
        'Allow cloudformation:GetTemplate, and name a profile by AWS_PROFILE instead of --profile; or look yourself, and add -c adopt=unchecked.',
    );
  });
  if (deleted.length > 0) throw new StageError(deletionSentence(stackName, deleted));
  return true;
}
