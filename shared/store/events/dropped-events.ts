import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { SourceId } from '../../domain/id.ts';
import { DAY_MS, HOUR_MS } from '../../lib/durations.ts';
import { droppedKey } from '../table/keys.ts';
import { updateItem, getItem, type TableOptions } from '../table/table-client.ts';

/** Events of other emitters that a source did not get, and that were not reported yet. */
export interface DroppedEvents {
  count: number;
  first: string;
  last: string;
  /** The hour of the last report, counted from the epoch; 0 for none. */
  reportedHour: number;
}

const DroppedItem = z.object({
  cn: z.number().default(0),
  fi: z.string().default(''),
  la: z.string().default(''),
  hr: z.number().default(0),
});

const LIFETIME_MS = 30 * DAY_MS;

export type DroppedEventStore = ReturnType<typeof droppedEventStore>;

export function droppedEventStore(table: TableOptions) {
  const { dynamo, tableName: TableName } = table;
  const fromItem = (item: unknown): DroppedEvents => {
    const { cn, fi, la, hr } = DroppedItem.parse(item ?? {});
    return { count: cn, first: fi, last: la, reportedHour: hr };
  };

  return {
    async find(sourceId: SourceId): Promise<DroppedEvents> {
      return fromItem(await getItem(table, droppedKey(sourceId)));
    },

    /** Counts events. Returns all that were not reported. */
    async add(
      sourceId: SourceId,
      { count, first, last }: Pick<DroppedEvents, 'count' | 'first' | 'last'>,
      now: number,
    ): Promise<DroppedEvents> {
      const { Attributes } = await dynamo.send(
        new UpdateCommand({
          TableName,
          Key: droppedKey(sourceId),
          UpdateExpression: 'SET fi = if_not_exists(fi, :first), la = :last, expiresAt = :until ADD cn :count',
          ExpressionAttributeValues: {
            ':count': count,
            ':first': first,
            ':last': last,
            ':until': Math.ceil((now + LIFETIME_MS) / 1_000),
          },
          ReturnValues: 'ALL_NEW',
        }),
      );
      return fromItem(Attributes);
    },

    /** Records a report. Events that were counted meanwhile stay for the next one. */
    async reported(sourceId: SourceId, { count }: Pick<DroppedEvents, 'count'>, now: number): Promise<void> {
      await updateItem(table, {
        Key: droppedKey(sourceId),
        UpdateExpression: 'SET hr = :hour REMOVE fi ADD cn :count',
        ExpressionAttributeValues: { ':hour': Math.floor(now / HOUR_MS), ':count': -count },
      });
    },
  };
}
