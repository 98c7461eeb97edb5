import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { UserId } from '../../domain/id.ts';
import { countsKey, pointersOf } from '../table/keys.ts';
import { beginningWith, type TableOptions } from '../table/table-client.ts';

export interface UserEmitters {
  sources: number;
  /** 2 means two or more. */
  workflows: number;
}

const Counted = z.object({ sources: z.number().default(0) });

/** Two reads, which may be a moment old. */
export const userEmitters =
  ({ dynamo, tableName: TableName }: TableOptions) =>
  async (ownerId: UserId): Promise<UserEmitters> => {
    const { pk, prefix } = pointersOf('workflows', ownerId);
    const [{ Item }, { Count = 0 }] = await Promise.all([
      dynamo.send(new GetCommand({ TableName, Key: countsKey(ownerId), ProjectionExpression: 'sources' })),
      dynamo.send(new QueryCommand({ TableName, ...beginningWith(pk, prefix), Limit: 2, Select: 'COUNT' })),
    ]);
    return { sources: Counted.parse(Item ?? {}).sources, workflows: Count };
  };
