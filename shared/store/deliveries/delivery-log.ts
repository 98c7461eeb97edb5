import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { AttemptSummary, Delivery } from '../../domain/delivery/delivery.ts';
import { type DeliveryId, timeOfId, type WebhookId } from '../../domain/id.ts';
import { batchWrite, puts } from '../table/batch-write.ts';
import { fromLogItem, type LoggedSuccess, LONGEST_SPAN_MS, toLogItems } from './delivery-log-item.ts';
import { idsBetween, type IdRange, WHOLE_RANGE } from './delivery-order.ts';
import { deliveryLogPartition } from '../table/keys.ts';
import { type Item, readInSteps, readItems } from '../table/read-items.ts';
import { keysBetween, type TableOptions } from '../table/table-client.ts';

export type DeliveryLog = ReturnType<typeof deliveryLog>;

/** Items per query. */
const PAGE = 100;

/**
 * The log of deliveries that succeeded at their first attempt: one item per webhook and batch. All other deliveries
 * have an item of their own, see `deliveries.ts`.
 */
export function deliveryLog(table: TableOptions) {
  const { dynamo, tableName: TableName } = table;

  async function page(
    webhookId: WebhookId,
    { from, to, isUpwards, start, limit }: IdRange & { start: string | undefined; limit: number },
  ) {
    const pk = deliveryLogPartition(webhookId);
    const { Items = [], LastEvaluatedKey } = await dynamo.send(
      new QueryCommand({
        TableName,
        ConsistentRead: true,
        ...keysBetween(pk, from, to),
        ScanIndexForward: isUpwards,
        Limit: limit,
        ...(start === undefined ? {} : { ExclusiveStartKey: { pk, sk: start } }),
      }),
    );
    return { items: Items, isLast: LastEvaluatedKey === undefined };
  }

  /** Deliveries with ids between `from` and `to`, in the order of their ids. Repeated deliveries come once. */
  async function* read(webhookId: WebhookId, range: IdRange): AsyncGenerator<Delivery> {
    const { from, to, isUpwards } = range;
    const order = isUpwards ? 1 : -1;
    // An item's key is just above its newest delivery, so items above the range may reach into it.
    const reach = { from, to: idsBetween(0, timeOfId(to) + LONGEST_SPAN_MS).to, isUpwards };
    if (reach.from > reach.to) return;
    const readItem = (item: Item) => ({ sk: String(item['sk']), found: fromLogItem(webhookId, item) });
    const pending = new Map<DeliveryId, Delivery>();
    /** Those that sort before all deliveries of the items after `key`. */
    function* takeBefore(key?: string) {
      for (const [id, delivery] of [...pending].sort(([a], [b]) => (a < b ? -order : order))) {
        if (key !== undefined && (isUpwards ? timeOfId(id) >= timeOfId(key) - LONGEST_SPAN_MS : id <= key)) return;
        pending.delete(id);
        yield delivery;
      }
    }
    let start: string | undefined;
    for (;;) {
      const { items, isLast } = await page(webhookId, { ...reach, start, limit: PAGE });
      start = items.at(-1) && String(items.at(-1)?.['sk']);
      for await (const { sk, found } of readInSteps(table, items, readItem)) {
        for (const delivery of found) if (delivery.id >= from && delivery.id <= to) pending.set(delivery.id, delivery);
        // Upwards, the deliveries of the last seconds are pending: they are not sorted for each item.
        if (!isUpwards || sk === start) yield* takeBefore(sk);
      }
      if (isLast) return yield* takeBefore();
    }
  }

  return {
    /** Repeating it writes the same items. */
    store: (successes: readonly LoggedSuccess[], now: number): Promise<void> =>
      batchWrite(table, puts(toLogItems(successes, now))),

    read,

    async find(webhookId: WebhookId, id: DeliveryId): Promise<Delivery | undefined> {
      for await (const delivery of read(webhookId, { from: id, to: id, isUpwards: true })) return delivery;
      return undefined;
    },

    /** The newest success among the newest items. */
    async newestSuccess(webhookId: WebhookId): Promise<AttemptSummary | undefined> {
      const { items } = await page(webhookId, { ...WHOLE_RANGE, start: undefined, limit: 5 });
      const attempts = readItems(table, items, (item) => fromLogItem(webhookId, item))
        .flat()
        .flatMap((one) => one.lastAttempt ?? []);
      return attempts.reduce<AttemptSummary | undefined>(
        (newest, attempt) => (newest && newest.at >= attempt.at ? newest : attempt),
        undefined,
      );
    },
  };
}
