import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { EmitterId, UserId } from '../../domain/id.ts';
import { lookUpCountKey, requestCountKey } from '../table/keys.ts';
import type { TableOptions } from '../table/table-client.ts';

export interface RequestCountStore {
  /** Adds requests. Returns those of all instances. */
  add(id: EmitterId | UserId, addition: Addition): Promise<number>;
}

interface Addition {
  window: number;
  added: number;
  /** End of the window, epoch ms. */
  endsAt: number;
}

/** The clocks of instances differ by less. */
const KEPT_MS = 60_000;

const Counted = z.object({ requests: z.number() });

/** Requests to endpoints of an emitter, or of all emitters of a user, in one window. */
export const requestCountStore = (table: TableOptions): RequestCountStore => windowCountStore(table, requestCountKey);

/** Streams and webhooks that look-ups by an id ask for a user, in one window. */
export const lookUpCountStore = (table: TableOptions): RequestCountStore => windowCountStore(table, lookUpCountKey);

function windowCountStore(
  { dynamo, tableName: TableName }: TableOptions,
  keyOf: typeof requestCountKey,
): RequestCountStore {
  return {
    async add(id, { window, added, endsAt }) {
      const { Attributes } = await dynamo.send(
        new UpdateCommand({
          TableName,
          Key: keyOf(id, window),
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
