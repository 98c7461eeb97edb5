import {
  DeleteCommand,
  type DeleteCommandInput,
  PutCommand,
  type PutCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { conditionally, type TableOptions } from './table-client.ts';

/* Writes of one item. Each resolves with false when its condition does not hold. */

export const putIf = async (
  { dynamo, tableName: TableName }: TableOptions,
  put: Omit<PutCommandInput, 'TableName'>,
): Promise<boolean> =>
  (await conditionally(() => dynamo.send(new PutCommand({ TableName, ...put })))) !== undefined;

export const updateIf = async (
  { dynamo, tableName: TableName }: TableOptions,
  update: Omit<UpdateCommandInput, 'TableName'>,
): Promise<boolean> =>
  (await conditionally(() => dynamo.send(new UpdateCommand({ TableName, ...update })))) !== undefined;

export const deleteIf = async (
  { dynamo, tableName: TableName }: TableOptions,
  removed: Omit<DeleteCommandInput, 'TableName'>,
): Promise<boolean> =>
  (await conditionally(() => dynamo.send(new DeleteCommand({ TableName, ...removed })))) !== undefined;
