import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { EmitterId, UserId } from '../domain/id.ts';
import { requestCountKey } from './keys.ts';
import type { TableOptions } from './table-client.ts';

export type RequestCountStore = ReturnType<typeof requestCountStore>;

interface Addition {
  /** Number of the window. */
  window: number;
  added: number;
  /** End of the window, epoch ms. */
  endsAt: number;
}

/** The clocks of instances differ by less. */
const KEPT_MS = 60_000;

const Counted = z.object({ requests: z.number() });

/** Requests to endpoints of an emitter, or of all emitters of a user, in one window. */
export function requestCountStore({ dynamo, tableName: TableName }: TableOptions) {
  return {
    /** Adds requests. Returns those of all instances. */
    async add(id: EmitterId | UserId, { window, added, endsAt }: Addition): Promise<number> {
      const { Attributes } = await dynamo.send(
        new UpdateCommand({
          TableName,
          Key: requestCountKey(id, window),
          UpdateExpression: 'ADD requests :added SET expiresAt = :expires',
          ExpressionAttributeValues: {
            ':added': added,
            ':expires': Math.floor((endsAt + KEPT_MS) / 1_000),
          },
          ReturnValues: 'UPDATED_NEW',
        }),
      );
      return Counted.parse(Attributes).requests;
    },
  };
}
