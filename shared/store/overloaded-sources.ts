import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { EmitterId } from '../domain/id.ts';
import { stateKey } from './keys.ts';
import type { TableOptions } from './table-client.ts';

const OverloadItem = z.object({ lu: z.number().optional() });

/** Epoch ms until which an emitter refuses triggers. Read alone, because callers of an endpoint wait for it. */
export type OverloadedUntil = (emitterId: EmitterId) => Promise<number | undefined>;

export const overloadStore =
  ({ dynamo, tableName }: TableOptions): OverloadedUntil =>
  async (emitterId) => {
    const { Item } = await dynamo.send(
      new GetCommand({ TableName: tableName, Key: stateKey(emitterId), ProjectionExpression: 'lu' }),
    );
    return OverloadItem.parse(Item ?? {}).lu;
  };
