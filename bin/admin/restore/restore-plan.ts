import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { refusedFailure } from '../../tributary/failures.ts';
import type { DeletedObjects } from './deleted-objects.ts';
import { describeTable, recoveryWindow } from './recovered-table.ts';

/** https://aws.amazon.com/dynamodb/pricing/on-demand/ in us-east-1, USD per GB. */
const PRICE = { restoration: 0.15, month: 0.25 + 0.2 };

export interface RestorePlan {
  source: string;
  target: string;
  to: Date;
  bytes: number;
  /** An earlier call has started the restoration. */
  isStarted: boolean;
}

/** The name follows from the time, so that a later call finds what an earlier one has started. */
export const restoredName = (stackName: string, to: Date): string =>
  `${stackName}-restored-${text(to).replace(/[-:]/g, '')}`;

/** Throws a sentence if the table cannot be restored to the time. */
export async function planRestoration(
  dynamo: DynamoDBClient,
  { stackName, source, to }: { stackName: string; source: string; to: Date },
): Promise<RestorePlan> {
  const target = restoredName(stackName, to);
  const [found, present] = await Promise.all([describeTable(dynamo, source), describeTable(dynamo, target)]);
  if (!found) throw refusedFailure(`There is no table ${source} in this region.`);
  const plan = { source, target, to, bytes: found.TableSizeBytes };
  if (present) {
    const summary = present.RestoreSummary;
    if (summary?.SourceTableArn === found.TableArn && summary.RestoreDateTime.getTime() === to.getTime())
      return { ...plan, isStarted: true };
    throw refusedFailure(
      `There is a table ${target} already, which is not a restoration of ${source} to ${text(to)}. Choose another second, or delete that table.`,
    );
  }
  const window = await recoveryWindow(dynamo, source);
  if (!window) throw refusedFailure(`The table ${source} has no point-in-time recovery: it cannot be restored.`);
  if (to < window.earliest || to > window.latest)
    throw refusedFailure(
      `The table ${source} can be restored to a time from ${text(window.earliest)} to ${text(window.latest)}, not to ${text(to)}.`,
    );
  return { ...plan, isStarted: false };
}

export const text = (time: Date): string => time.toISOString().replace(/\.\d{3}Z$/, 'Z');

const usd = (bytes: number, perGb: number): string => `$${Math.max(0.01, (bytes / 2 ** 30) * perGb).toFixed(2)}`;

export const planJson = ({ source, target, to, bytes, isStarted }: RestorePlan) => ({
  source,
  target,
  to: text(to),
  bytes,
  started: isStarted,
  estimated_usd: Number(usd(bytes, PRICE.restoration).slice(1)),
  estimated_usd_per_month: Number(usd(bytes, PRICE.month).slice(1)),
});

export const planText = ({ source, target, to, bytes, isStarted }: RestorePlan, file: string): string =>
  [
    `${isStarted ? 'Go on restoring' : 'Restore'} the table ${source} to ${text(to)}, as the new table ${target}.`,
    `The table has ${(bytes / 2 ** 30).toFixed(2)} GB: about ${usd(bytes, PRICE.restoration)} once in us-east-1, and ${usd(bytes, PRICE.month)} a month for each of both tables.`,
    'It usually takes 10 to 60 minutes, and hours for hundreds of GB.',
    'Objects of the bucket that were deleted since then become current again: each 1,000 versions in it are one request, $0.005 for 1,000 of them.',
    `Then ${file} adopts the new table. Nothing that holds data is deleted, and the service uses ${source} until you deploy.`,
    'What it stores there from now on is not in the new table: run admin pause first, so that what arrives waits in the queues.',
  ].join('\n');

export const deletedText = ({ objects, bytes }: DeletedObjects): string =>
  `${objects} deleted objects, ${(bytes / 2 ** 20).toFixed(1)} MB`;
