import { randomUUID } from 'node:crypto';
import type { DeliveryId, EmitterId, ListenerId, RecoveryId } from '../../domain/id.ts';
import { toAttemptItem } from './delivery-attempts.ts';
import { expiryOf, type StoredDelivery } from './delivery-item.ts';
import { type Change, enqueueUpdate, moveUpdate, type RecordedAttempt, recordUpdate } from './delivery-updates.ts';
import { type DeliveryListName, deliveryKey, listEntryKey } from '../table/keys.ts';
import { putItem, updateItem, epochPrefix, type TableOptions, transact } from '../table/table-client.ts';

/** Longer than an attempt, shorter than the visibility timeout of `retries`. */
export const CLAIM_MS = 40_000;

/** An entry of a list, which its delivery leaves. */
export interface LeavingEntry {
  id: DeliveryId;
  listenerId: ListenerId;
  emitterId?: EmitterId | undefined;
  expiresAt: number | undefined;
}

interface ChangeOptions {
  leaveList(list: DeliveryListName, entry: LeavingEntry): Promise<void>;
  now(): number;
}

/** The changes of a stored delivery, each on condition that the delivery is as the caller read it. */
export function deliveryChanges(table: TableOptions, { leaveList, now }: ChangeOptions) {
  const prefix = epochPrefix(table);
  const change = deliveryChange(table);
  const changeWithHeld = heldChange(table, now);

  return {
    ...redeliveryRequests(table, now),
    ...orderedChanges(table, { leaveList, now }),

    /**
     * Claims the delivery for one attempt. False while another attempt is under way, or when the delivery has another
     * message number.
     */
    async claim(delivery: StoredDelivery): Promise<boolean> {
      const at = now();
      return change(delivery, {
        UpdateExpression: 'SET claimedUntil = :until, claimedBy = :claim',
        // `claimedBy = :claim` is this very claim: the SDK repeats a request whose response was lost.
        ConditionExpression:
          'turn = :turn AND (attribute_not_exists(claimedUntil) OR claimedUntil < :now OR claimedBy = :claim OR NOT begins_with(claimedBy, :epoch))',
        ExpressionAttributeValues: {
          ':until': at + CLAIM_MS,
          ':now': at,
          ':turn': delivery.messageNumber,
          ':claim': prefix + randomUUID(),
          ':epoch': prefix,
        },
      });
    },

    /** Records an attempt. False when the delivery changed since it was read. */
    async record(delivery: StoredDelivery, recorded: RecordedAttempt): Promise<boolean> {
      const { id, list } = delivery;
      const { attempt, staysOnList } = recorded;
      const expiresAt = expiryOf(now());
      await putItem(table, { Item: { ...toAttemptItem(id, attempt), expiresAt } });
      const update = recordUpdate(delivery, recorded, expiresAt);
      if (list === 'held' && !staysOnList) return changeWithHeld(delivery, update, 'leaves');
      const written = await change(delivery, update);
      // Only its entry sends a waiting delivery, so that one goes last. Readers remove entries that stay.
      if (written && list && !staysOnList) await leaveList(list, { ...delivery, expiresAt });
      return written;
    },

    /**
     * Moves a delivery that awaits an attempt to a list: `waiting` for those to be sent when it may be, `held` for
     * those of an inactive webhook. A waiting delivery without `nextAt` is due. False when it changed since it was
     * read. Its entry on the list `waiting` may stay then: another process may be moving it there.
     */
    async move(delivery: StoredDelivery, list: DeliveryListName): Promise<boolean> {
      const { list: before } = delivery;
      const expiresAt = expiryOf(now());
      const isHeld = list === 'held';
      const update = moveUpdate(delivery, list, expiresAt);
      if (!isHeld) await putItem(table, { Item: { ...listEntryKey(list, delivery), expiresAt } });
      const written = await (isHeld ? changeWithHeld(delivery, update, 'joins') : change(delivery, update));
      if (written && before && before !== list) await leaveList(before, { ...delivery, expiresAt });
      return written;
    },

    /**
     * Makes a held delivery wait for an attempt again; the caller sends its message. False when it is not held any
     * more.
     */
    release(delivery: StoredDelivery): Promise<boolean> {
      const { attemptCount, messageNumber } = delivery;
      const update: Change = {
        UpdateExpression: 'SET #status = :status, nextAt = :now, expiresAt = :expiresAt REMOVE place',
        ConditionExpression: 'turn = :turn AND #status = :held',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':status': attemptCount > 0 ? 'retrying' : 'pending',
          ':now': now(),
          ':expiresAt': expiryOf(now()),
          ':turn': messageNumber,
          ':held': 'held',
        },
      };
      return changeWithHeld(delivery, update, 'leaves');
    },

    /** Ends a delivery without an attempt. */
    async end(delivery: StoredDelivery, status: 'failed' | 'discarded'): Promise<void> {
      const { list } = delivery;
      const expiresAt = expiryOf(now());
      const update: Change = {
        UpdateExpression: 'SET #status = :status, expiresAt = :expiresAt REMOVE nextAt, place',
        ConditionExpression: 'attribute_exists(pk) AND #status = :before',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':status': status,
          ':before': delivery.status,
          ':expiresAt': expiresAt,
        },
      };
      if (list === 'held') return void (await changeWithHeld(delivery, update, 'leaves'));
      await change(delivery, update);
      if (list) await leaveList(list, { ...delivery, expiresAt });
    },
  };
}

/** False when the condition does not hold. */
const deliveryChange =
  (table: TableOptions) =>
  ({ listenerId, id }: StoredDelivery, changed: Change): Promise<boolean> =>
    updateItem(table, { Key: deliveryKey(listenerId, id), ...changed });

/**
 * Changes a delivery that joins or leaves the list of held ones, in one transaction with its entry: `held_count` counts
 * the list. False when the condition does not hold; then the list is as before.
 */
const heldChange =
  (table: TableOptions, now: () => number) =>
  async (delivery: StoredDelivery, changed: Change, entry: 'joins' | 'leaves'): Promise<boolean> => {
    const TableName = table.tableName;
    const { listenerId, id } = delivery;
    const Key = listEntryKey('held', delivery);
    const { ok } = await transact(table, [
      { Update: { TableName, Key: deliveryKey(listenerId, id), ...changed } },
      entry === 'joins'
        ? { Put: { TableName, Item: { ...Key, expiresAt: expiryOf(now()) } } }
        : { Delete: { TableName, Key } },
    ]);
    return ok;
  };

function orderedChanges(table: TableOptions, { leaveList, now }: ChangeOptions) {
  const change = deliveryChange(table);
  const changeWithHeld = heldChange(table, now);
  return {
    /**
     * Puts a delivery back into the order of its emitter: one that ended begins its schedule anew. False when it
     * changed since it was read.
     */
    async enqueue(delivery: StoredDelivery, recovery?: RecoveryId): Promise<boolean> {
      const { list: before } = delivery;
      const expiresAt = expiryOf(now());
      const update = enqueueUpdate(delivery, recovery, expiresAt);
      await putItem(table, { Item: { ...listEntryKey('ordered', delivery), expiresAt } });
      const isHeld = before === 'held';
      const written = await (isHeld ? changeWithHeld(delivery, update, 'leaves') : change(delivery, update));
      if (written && before === 'waiting') await leaveList(before, { ...delivery, expiresAt });
      return written;
    },
  };
}

function redeliveryRequests(table: TableOptions, now: () => number) {
  const change = deliveryChange(table);
  return {
    /** Records a request to redeliver. False when another request came first. */
    request(
      delivery: StoredDelivery,
      { request, requestedAt }: { request: string; requestedAt: readonly number[] },
    ): Promise<boolean> {
      const { requestedAt: before } = delivery;
      return change(delivery, {
        UpdateExpression: 'SET requestedAt = :after, expiresAt = :expiresAt ADD requested :request',
        ConditionExpression:
          before === undefined ? 'attribute_exists(pk) AND attribute_not_exists(requestedAt)' : 'requestedAt = :before',
        ExpressionAttributeValues: {
          ':after': requestedAt,
          ':request': new Set([request]),
          ':expiresAt': expiryOf(now()),
          ...(before === undefined ? {} : { ':before': before }),
        },
      });
    },

    /** Ends a request to redeliver without an attempt. */
    async endRequest(delivery: StoredDelivery, request: string): Promise<void> {
      await change(delivery, {
        UpdateExpression: 'DELETE requested :request',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':request': new Set([request]) },
      });
    },
  };
}
