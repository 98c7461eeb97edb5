import {
  DeleteCommand,
  type DeleteCommandInput,
  PutCommand,
  type PutCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { conditionally, type TableOptions } from './table-client.ts';

/*
 * Writes of one item, repeated after a conflict with a transaction. Each resolves with false when its condition does
 * not hold.
 */

type Input<T> = Omit<T, 'TableName'>;

export const putItem = ({ dynamo, tableName: TableName }: TableOptions, put: Input<PutCommandInput>) =>
  isDone(() => dynamo.send(new PutCommand({ TableName, ...put })));

export const updateItem = ({ dynamo, tableName: TableName }: TableOptions, update: Input<UpdateCommandInput>) =>
  isDone(() => dynamo.send(new UpdateCommand({ TableName, ...update })));

export const deleteItem = ({ dynamo, tableName: TableName }: TableOptions, removal: Input<DeleteCommandInput>) =>
  isDone(() => dynamo.send(new DeleteCommand({ TableName, ...removal })));

const isDone = async (write: () => Promise<unknown>): Promise<boolean> => (await conditionally(write)) !== undefined;
