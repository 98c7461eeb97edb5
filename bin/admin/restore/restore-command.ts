import { existsSync } from 'node:fs';
import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { S3Client } from '@aws-sdk/client-s3';
import { readStage } from '../../../infra/read-stage.ts';
import { allTags } from '../../../infra/stage.ts';
import { deletedByAdoption, deletionSentence } from '../../adoption/deployed-data.ts';
import { refusedFailure, usageFailure } from '../../tributary/failures.ts';
import type { Names } from '../names.ts';
import type { Report } from '../operator-command.ts';
import { reasonOf } from '../reason.ts';
import { countDeleted, type DeletedObjects, fetchBackDeleted } from './deleted-objects.ts';
import { applySettings, describeTable, startRestoration } from './recovered-table.ts';
import { deletedText, planJson, planRestoration, planText, restoredName, text } from './restore-plan.ts';
import type { RestoreInput } from './restore-words.ts';
import { writeAdopt } from './stage-file.ts';

interface RestoreContext {
  dynamo: DynamoDBClient;
  s3: S3Client;
  cloudFormation: CloudFormationClient;
  /** The folder of stages. */
  folder: string;
  /** The `--stack` of the command line. */
  stack: string | undefined;
  namesOf(stackName: string): Promise<Pick<Names, 'tableName' | 'bucketName' | 'accountKeyArn'>>;
  /** Asks, unless the command line allows it. */
  confirm(plan: string): Promise<void>;
  note(line: string): void;
  pause(ms: number): Promise<void>;
  interrupted: AbortSignal;
}

const POLL_MS = 20_000;

/**
 * Restores the table of a stack to an earlier time, and makes objects current again that were deleted since. A second
 * call with the same options goes on where the first one ended: the name of the new table follows from the time.
 * Nothing that holds data is deleted, and the stack changes only when it is deployed.
 */
export async function restoreTable(
  { to, stage: stageName, table, dryRun }: RestoreInput,
  context: RestoreContext,
): Promise<Report> {
  const { dynamo, cloudFormation, folder } = context;
  if (!existsSync(folder)) throw refusedFailure(NEEDS_CHECKOUT);
  const stage = readStage(stageName, folder);
  const { stackName } = stage;
  if (context.stack !== undefined && context.stack !== stackName)
    throw usageFailure(`The stage ${stageName} has the stack ${stackName}, not ${context.stack}.`);
  const names = await context.namesOf(stackName);
  const target = restoredName(stackName, to);
  if (names.tableName === target) return inUse({ stackName, target });
  const deleted = await deletedByAdoption(cloudFormation, stackName);
  if (deleted.length > 0) throw refusedFailure(deletionSentence(stackName, deleted));
  const plan = await planRestoration(dynamo, { stackName, source: table ?? names.tableName, to });
  const shownPlan = planText(plan, `infra/stages/${stageName}.json`);
  const bucket = { ...context, bucket: names.bucketName, to };
  if (dryRun) {
    const deleted = await countDeleted(bucket).catch((cause: unknown) => {
      throw refusedFailure(`The versions of objects cannot be read: ${reasonOf(cause)}`);
    });
    return {
      json: { ...planJson(plan), deleted_objects: deleted.objects, deleted_bytes: deleted.bytes },
      text: [shownPlan, `In the bucket ${names.bucketName}: ${deletedText(deleted)}.`, 'Nothing was changed.'].join(
        '\n',
      ),
    };
  }
  await context.confirm(shownPlan);
  let fetched: DeletedObjects;
  try {
    if (!plan.isStarted) await startRestoration(dynamo, plan);
    const arn = await restored(target, context);
    await applySettings(dynamo, { name: target, arn }, { tags: allTags(stage), pause: context.pause });
    fetched = await fetchBackDeleted(bucket);
    const adopt = { table: target, bucket: names.bucketName, keyArn: names.accountKeyArn };
    await writeAdopt({ folder, stage: stageName }, adopt);
  } catch (error) {
    const reason = context.interrupted.aborted ? 'It was interrupted.' : reasonOf(error);
    throw refusedFailure(
      `The restoration is not complete: ${reason} The service uses ${names.tableName} as before. Run the same command again: it goes on with ${target}.`,
    );
  }
  return {
    json: {
      ...planJson(plan),
      started: true,
      fetched_objects: fetched.objects,
      fetched_bytes: fetched.bytes,
      stage_file: `infra/stages/${stageName}.json`,
    },
    text: [
      `Fetched back from the bucket ${names.bucketName}: ${deletedText(fetched)}.`,
      `Restored ${plan.source} to ${text(to)} as ${target}. infra/stages/${stageName}.json adopts it. Now:`,
      `  npx cdk deploy -c stage=${stageName}`,
      `  npm run --silent admin -- reconcile --stack ${stackName}`,
      `  npm run --silent admin -- resume --stack ${stackName}    (if it is paused)`,
      `The table ${names.tableName} stays as it is, and costs as before. Keep it until the service is well, then delete it by hand.`,
    ].join('\n'),
  };
}

const NEEDS_CHECKOUT =
  'admin restore writes the file of the stage in infra/stages, so it needs a checkout of Tributary, as npx cdk deploy does. ' +
  'Run it there: npm run --silent admin -- restore …';

/** Waits until the table is active. Returns its ARN. */
async function restored(
  target: string,
  { dynamo, note, pause, interrupted }: Pick<RestoreContext, 'dynamo' | 'note' | 'pause' | 'interrupted'>,
): Promise<string> {
  for (let polls = 0; ; polls += 1) {
    interrupted.throwIfAborted();
    const found = await describeTable(dynamo, target);
    if (found?.TableStatus === 'ACTIVE') return found.TableArn;
    if (found && found.TableStatus !== 'CREATING')
      throw new Error(`The table ${target} has the status ${found.TableStatus}.`);
    if (polls % 3 === 0) note(`DynamoDB restores ${target}: ${Math.round((polls * POLL_MS) / 60_000)} min.`);
    await pause(POLL_MS);
  }
}

const inUse = ({ stackName, target }: { stackName: string; target: string }): Report => ({
  json: { target, deployed: true },
  text: `The stack ${stackName} uses the table ${target} already. Run admin reconcile and admin resume for it, if you have not.`,
});
