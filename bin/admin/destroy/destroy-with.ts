import type * as z from 'zod';
import { s3Client } from '../../../shared/aws/clients.ts';
import { deletedByAdoption } from '../../adoption/deployed-data.ts';
import { refusedFailure, usageFailure } from '../../tributary/failures.ts';
import type { Session } from '../../tributary/session/command-session.ts';
import { auditOnStack } from '../audit/write-audit.ts';
import { describeStack, namesFrom, outputsOfStack } from '../names.ts';
import { cloudFormationClient } from '../operator-clients.ts';
import type { Report } from '../operator-command.ts';
import { destroyData } from './destroy-data.ts';
import type { DestroyInput } from './destroy-words.ts';

/** Empties a bucket with the credentials and the terminal of the operator. */
export async function destroyWith(
  session: Session,
  { stack, bucket, confirm }: z.output<typeof DestroyInput> & { stack?: string | undefined },
): Promise<Report> {
  const name = stack ?? bucket;
  if (name === undefined || (stack !== undefined && bucket !== undefined))
    throw usageFailure('Give --stack, or --bucket with the bucket of a deleted stack.');
  const { output, terminal } = session;
  return destroyData({
    s3: s3Client(),
    note: output.note,
    interrupted: terminal.interrupted(),
    ...(stack === undefined ? { bucket: name, rest: REST_OF_BUCKET } : await ofStack(stack)),
    confirm: (plan) => confirmName(session, { plan, name, answered: confirm }),
  });
}

const REST_OF_BUCKET = 'Then aws s3 rb deletes the bucket.';

async function ofStack(stack: string): Promise<{ bucket: string; rest: string }> {
  const { EnableTerminationProtection = false } = await describeStack(stack);
  if (EnableTerminationProtection)
    throw refusedFailure(
      `The stack ${stack} is protected: set terminationProtection of its stage to false and deploy before.`,
    );
  const { bucketName, tableName, accountKeyArn, auditLogGroup } = namesFrom(await outputsOfStack(stack));
  const options = { bucket: bucketName };
  await auditOnStack(auditLogGroup, { command: 'destroy-data', role: 'restore', options });
  const deleted = await deletedByAdoption(cloudFormationClient(), stack);
  return {
    bucket: bucketName,
    rest:
      deleted.length > 0
        ? `Table and key go with the stack: npx cdk destroy. Until then the service uses them.`
        : `The table ${tableName}, the key ${accountKeyArn} and the empty bucket stay when the stack is deleted (retention.data).`,
  };
}

async function confirmName(
  { terminal, isInteractive, output }: Session,
  { plan, name, answered }: { plan: string; name: string; answered: string | undefined },
): Promise<void> {
  if (answered === undefined && !isInteractive) throw usageFailure(`Give --confirm ${name}: nobody can be asked here.`);
  output.note(plan);
  const typed = answered ?? (await typedName(terminal, name));
  if (typed !== name) throw refusedFailure(`Nothing was deleted: ${typed} is not ${name}.`, 'not_confirmed');
}

async function typedName({ stdin, stderr }: Session['terminal'], name: string): Promise<string> {
  const { input } = await import('@inquirer/prompts');
  return input({ message: `Type ${name} to delete all of it:` }, { input: stdin, output: stderr });
}
