import type { SourceId } from '../../domain/id.ts';
import type { Source } from '../../domain/source/source.ts';
import { changeCurrent } from '../table/change-current.ts';
import { countDown } from '../table/counts.ts';
import { endpointKey, slugKey, sourceKey, sourceListKey } from '../table/keys.ts';
import { deleteItem, updateItem, type TableOptions, transact } from '../table/table-client.ts';

/**
 * Removes a source in two steps: first it becomes a tombstone, then the tombstone is removed after everything that the
 * source owned.
 */
export function sourceRemoval(table: TableOptions, find: (id: SourceId) => Promise<Source | undefined>) {
  const { tableName: TableName } = table;
  return {
    /** Makes the source invisible to all readers. False when it was deleted before. */
    async tombstone(id: SourceId): Promise<boolean> {
      const removed = await changeCurrent({
        find: () => find(id),
        write: async ({ state, ownerId, configuration, endpointId }) => {
          if (state === 'deleting') return 'before';
          const { ok } = await transact(table, [
            {
              Update: {
                TableName,
                Key: sourceKey(id),
                UpdateExpression: 'SET #state = :deleting',
                ConditionExpression: '#state <> :deleting AND #configuration.#nameSlug = :slug',
                ExpressionAttributeNames: {
                  '#state': 'state',
                  '#configuration': 'configuration',
                  '#nameSlug': 'nameSlug',
                },
                ExpressionAttributeValues: { ':deleting': 'deleting', ':slug': configuration.nameSlug },
              },
            },
            { Delete: { TableName, Key: sourceListKey(ownerId, id) } },
            { Delete: { TableName, Key: slugKey(ownerId, configuration.nameSlug) } },
            countDown(TableName, ownerId, 'sources'),
            ...(endpointId === undefined ? [] : [{ Delete: { TableName, Key: endpointKey(endpointId) } }]),
          ]);
          return ok && 'now';
        },
      });
      return removed === 'now';
    },

    /** Records that the queue accepted the purge message, so that another DELETE does not send it again. */
    async confirmPurge(id: SourceId): Promise<void> {
      await updateItem(table, {
        Key: sourceKey(id),
        UpdateExpression: 'SET purgeSent = :yes',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':yes': true },
      });
    },

    /** Records that the `deactivate` hook ran, so that a repeated purge does not run it again. */
    async confirmDeactivated(id: SourceId): Promise<void> {
      await updateItem(table, {
        Key: sourceKey(id),
        UpdateExpression: 'SET #configuration.#active = :no',
        ConditionExpression: '#state = :deleting',
        ExpressionAttributeNames: {
          '#state': 'state',
          '#configuration': 'configuration',
          '#active': 'active',
        },
        ExpressionAttributeValues: { ':deleting': 'deleting', ':no': false },
      });
    },

    /** Removes the tombstone, after everything that the source owned. */
    async remove(id: SourceId): Promise<void> {
      await deleteItem(table, {
        Key: sourceKey(id),
        ConditionExpression: '#state = :deleting',
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: { ':deleting': 'deleting' },
      });
    },
  };
}
