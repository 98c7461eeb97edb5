import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { EmitterId } from '../domain/id.ts';
import { stateKey } from './keys.ts';
import type { TableOptions } from './table-client.ts';

const ProgressItem = z.object({ lu: z.number().optional(), cn: z.number().optional() });

/** How far the queue of an emitter has got. */
export interface QueueProgress {
  /** Epoch ms until which the emitter refuses triggers; 0 for none. */
  laggingUntil: number;
  /** Number of its triggers that were ever completed. */
  completed: number;
}

/** Read alone, because callers of an endpoint wait for it. */
export type ReadProgress = (emitterId: EmitterId) => Promise<QueueProgress>;

export const queueProgress =
  ({ dynamo, tableName }: TableOptions): ReadProgress =>
  async (emitterId) => {
    const { Item } = await dynamo.send(
      new GetCommand({ TableName: tableName, Key: stateKey(emitterId), ProjectionExpression: 'lu, cn' }),
    );
    const { lu = 0, cn = 0 } = ProgressItem.parse(Item ?? {});
    return { laggingUntil: lu, completed: cn };
  };
