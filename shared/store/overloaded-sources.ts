import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { EmitterId } from '../domain/id.ts';
import { stateKey } from './keys.ts';
import type { TableOptions } from './table-client.ts';

const LaggingItem = z.object({ lu: z.number().optional() });

/** Until when, epoch ms, an emitter's doors are shut; of its state the only part that callers wait for. */
export type OverloadedUntil = (emitterId: EmitterId) => Promise<number | undefined>;

export const overloadStore =
  ({ dynamo, tableName }: TableOptions): OverloadedUntil =>
  async (emitterId) => {
    const { Item } = await dynamo.send(
      new GetCommand({ TableName: tableName, Key: stateKey(emitterId), ProjectionExpression: 'lu' }),
    );
    return LaggingItem.parse(Item ?? {}).lu;
  };
