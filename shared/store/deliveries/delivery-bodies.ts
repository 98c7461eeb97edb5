import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { Payload } from '../../domain/event/payload.ts';
import type { DeliveryId } from '../../domain/id.ts';
import { expiryOf } from './delivery-item.ts';
import { deliveryBodyKey } from '../table/keys.ts';
import { readOne } from '../table/read-items.ts';
import { conditionally, getItem, type TableOptions } from '../table/table-client.ts';

export const DeliveryBody = z.object({
  payload: Payload,
  /** Absent in an item of an earlier release. */
  bytes: z.number().optional(),
  /** Time of its storing, epoch ms. */
  at: z.number().optional(),
  /** The request to redeliver that stored it. */
  mark: z.string().optional(),
});
export type DeliveryBody = z.infer<typeof DeliveryBody>;

/** Payloads of deliveries. Each change returns what was stored before, so that its bytes are subtracted once. */
export function deliveryBodies(table: TableOptions, now: () => number) {
  const { dynamo, tableName: TableName } = table;
  const parse = (id: DeliveryId, item: unknown): DeliveryBody | undefined =>
    item === undefined ? undefined : readOne(id, () => DeliveryBody.parse(item));

  return {
    /** Undefined when it was removed, or has expired. */
    async body(id: DeliveryId): Promise<DeliveryBody | undefined> {
      return parse(id, await getItem(table, deliveryBodyKey(id)));
    },

    async replaceBody(id: DeliveryId, body: DeliveryBody): Promise<DeliveryBody | undefined> {
      const { Attributes } = await dynamo.send(
        new PutCommand({
          TableName,
          Item: { ...deliveryBodyKey(id), ...body, expiresAt: expiryOf(now()) },
          ReturnValues: 'ALL_OLD',
        }),
      );
      return parse(id, Attributes);
    },

    /** Removes the payload that was read. Undefined when another request has removed or replaced it. */
    async removeBody(id: DeliveryId, { mark }: DeliveryBody): Promise<DeliveryBody | undefined> {
      const removed = await conditionally(() =>
        dynamo.send(
          new DeleteCommand({
            TableName,
            Key: deliveryBodyKey(id),
            ConditionExpression:
              mark === undefined ? 'attribute_exists(pk) AND attribute_not_exists(mark)' : 'mark = :mark',
            ...(mark === undefined ? {} : { ExpressionAttributeValues: { ':mark': mark } }),
            ReturnValues: 'ALL_OLD',
          }),
        ),
      );
      return parse(id, removed?.Attributes);
    },
  };
}
