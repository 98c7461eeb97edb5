import { DeleteCommand, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { SourceId, type UserId } from '../domain/id.ts';
import type {
  PendingRevision,
  RevisionOutcome,
  Source,
  SourceConfiguration,
  SourceState,
} from '../domain/source.ts';
import { freeSlug } from '../domain/slug.ts';
import { countDown, countUp, limitReached, readCounts } from './counts.ts';
import { endpointKey, slugKey, sourceKey, sourceListKey } from './keys.ts';
import { readPage, type Page, type PageRequest } from './page.ts';
import { takenSlugs } from './slugs.ts';
import { fromSourceItem, storedConfiguration, storedPending, toSourceItem } from './source-item.ts';
import { batchGet, conditionally, type TableOptions, transact, type Writes } from './table-client.ts';

export type SourceStore = ReturnType<typeof sourceStore>;

/** What a caller changes of a source; with `pending`, the rest follows when its revision is carried out. */
export interface SourceChange {
  configuration: SourceConfiguration;
  pending?: PendingRevision;
  /** A new HTTP endpoint, for code that needs one where the earlier did not. */
  endpointId?: string;
  updatedAt: number;
}

/** Every transition is one conditional write: who loses a race reads again. */
export function sourceStore(table: TableOptions) {
  const { dynamo, tableName: TableName } = table;

  /** Undefined when it never was or has been purged; a tombstone is still given, in state `deleting`. */
  async function find(id: SourceId): Promise<Source | undefined> {
    const { Item } = await dynamo.send(
      new GetCommand({ TableName, Key: sourceKey(id), ConsistentRead: true }),
    );
    return Item && fromSourceItem(Item);
  }

  return {
    find,

    /** Which source an HTTP endpoint belongs to. */
    async findByEndpoint(endpointId: string): Promise<SourceId | undefined> {
      const { Item } = await dynamo.send(
        new GetCommand({ TableName, Key: endpointKey(endpointId), ConsistentRead: true }),
      );
      return Item && z.object({ sourceId: SourceId }).parse(Item).sourceId;
    },

    async list(ownerId: UserId, request: PageRequest): Promise<Page<Source>> {
      const [items, { sources: totalCount }] = await Promise.all([
        readPage(table, {
          scope: { list: 'sources', ownerId },
          request,
          read: async (ids) => {
            const keys = ids.map((id) => sourceKey(SourceId.parse(id)));
            const found = (await batchGet(table, keys)).map(fromSourceItem);
            return found.filter(({ state }) => state !== 'deleting');
          },
        }),
        readCounts(table, ownerId),
      ]);
      return { items, totalCount };
    },

    /** Stores a new source under the smallest free number of its slug, and answers with it as stored. */
    async create(source: Source, limit: number): Promise<Source> {
      const { ownerId, configuration } = source;
      const wanted = configuration.nameSlug;
      for (let slug = wanted; ;) {
        const named = withSlug(source, slug);
        const result = await transact(table, [
          { Put: { TableName, Item: toSourceItem(named), ConditionExpression: 'attribute_not_exists(pk)' } },
          slugPut(ownerId, slug, source.id),
          countUp(TableName, ownerId, 'sources', limit),
          { Put: { TableName, Item: sourceListKey(ownerId, source.id) } },
          ...endpointPut(source.endpointId, source.id),
        ]);
        if (result.ok) return named;
        if (result.failed === 2) throw limitReached('sources', limit);
        if (result.failed === 0) throw new Error(`The id ${source.id} is taken`);
        slug = freeSlug(wanted, await takenSlugs(table, ownerId, wanted));
      }
    },

    /**
     * Changes a source as it was read; false when it has changed since, has an update on its way or is gone. Under a new name its slug is
     * the smallest free one, which is what `configuration.nameSlug` of the answer holds.
     */
    async change(read: Source, change: SourceChange): Promise<SourceConfiguration | false> {
      const { ownerId, configuration } = read;
      const wanted = change.configuration.nameSlug;
      for (let slug = wanted; ;) {
        const changed = { ...change.configuration, nameSlug: slug };
        const update = updateOf(read, changed, change);
        const isRenamed = wanted !== configuration.nameSlug;
        if (!isRenamed && change.endpointId === undefined) {
          const written = await conditionally(() => dynamo.send(new UpdateCommand({ TableName, ...update })));
          return written !== undefined && changed;
        }
        const result = await transact(table, [
          { Update: { TableName, ...update } },
          ...(isRenamed
            ? [
                slugPut(ownerId, slug, read.id),
                { Delete: { TableName, Key: slugKey(ownerId, configuration.nameSlug) } },
              ]
            : []),
          ...endpointPut(change.endpointId, read.id),
        ]);
        if (result.ok) return changed;
        if (result.failed === 0) return false;
        slug = freeSlug(wanted, await takenSlugs(table, ownerId, wanted));
      }
    },

    /** The pending revision becomes what the source is. False when it is no longer pending, or the source is gone. */
    async swap(source: Source, pending: PendingRevision, timerAnchor?: number): Promise<boolean> {
      return settle(source, pending, {
        state: pending.configuration.active ? 'active' : 'inactive',
        outcome: { revision: pending.revision, ok: true },
        timerAnchor,
      });
    },

    /**
     * A hook of the pending revision failed: a source that never was active has `failed`, another one is swapped all the same and
     * inactive. False as for {@link swap}.
     */
    async fail(source: Source, pending: PendingRevision, message: string): Promise<boolean> {
      const isNew = source.state === 'creating' || source.state === 'activating';
      return settle(source, pending, {
        state: isNew ? 'failed' : 'inactive',
        outcome: { revision: pending.revision, ok: false, message },
      });
    },

    /** Gone at once for every reader. False when it was gone before. */
    async tombstone(id: SourceId): Promise<boolean> {
      for (;;) {
        const source = await find(id);
        if (!source || source.state === 'deleting') return false;
        const { ownerId, configuration, endpointId } = source;
        const result = await transact(table, [
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
        if (result.ok) return true;
      }
    },

    /** The last message of a tombstone's queue has been accepted: another DELETE need not send it again. */
    async confirmPurge(id: SourceId): Promise<void> {
      await conditionally(() =>
        dynamo.send(
          new UpdateCommand({
            TableName,
            Key: sourceKey(id),
            UpdateExpression: 'SET purgeSent = :yes',
            ConditionExpression: 'attribute_exists(pk)',
            ExpressionAttributeValues: { ':yes': true },
          }),
        ),
      );
    },

    /** The tombstone itself goes last, when everything that the source owned has gone. */
    async remove(id: SourceId): Promise<void> {
      await conditionally(() =>
        dynamo.send(
          new DeleteCommand({
            TableName,
            Key: sourceKey(id),
            ConditionExpression: '#state = :deleting',
            ExpressionAttributeNames: { '#state': 'state' },
            ExpressionAttributeValues: { ':deleting': 'deleting' },
          }),
        ),
      );
    },
  };

  function slugPut(ownerId: UserId, slug: string, sourceId: SourceId) {
    const Item = { ...slugKey(ownerId, slug), sourceId };
    return { Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' } };
  }

  function endpointPut(endpointId: string | undefined, sourceId: SourceId): Writes {
    return endpointId === undefined
      ? []
      : [{ Put: { TableName, Item: { ...endpointKey(endpointId), sourceId } } }];
  }

  async function settle(
    source: Source,
    pending: PendingRevision,
    {
      state,
      outcome,
      timerAnchor,
    }: { state: SourceState; outcome: z.infer<typeof RevisionOutcome>; timerAnchor?: number | undefined },
  ): Promise<boolean> {
    const configuration = { ...pending.configuration, active: state === 'active' };
    const anchored = timerAnchor === undefined ? {} : { ':timerAnchor': timerAnchor };
    const written = await conditionally(() =>
      dynamo.send(
        new UpdateCommand({
          TableName,
          Key: sourceKey(source.id),
          UpdateExpression:
            'SET #state = :state, generation = :generation, #configuration = :configuration, traits = :traits, #outcome = :outcome' +
            (timerAnchor === undefined
              ? ' REMOVE #pending, timerAnchor'
              : ', timerAnchor = :timerAnchor REMOVE #pending'),
          ConditionExpression: '#state <> :deleting AND #pending.#revision = :revision',
          ExpressionAttributeNames: {
            '#state': 'state',
            '#configuration': 'configuration',
            '#outcome': 'outcome',
            '#pending': 'pending',
            '#revision': 'revision',
          },
          ExpressionAttributeValues: {
            ':state': state,
            ':generation': source.generation + 1,
            ':configuration': storedConfiguration(configuration),
            ':traits': pending.traits,
            ':outcome': outcome,
            ':deleting': 'deleting',
            ':revision': pending.revision,
            ...anchored,
          },
        }),
      ),
    );
    return written !== undefined;
  }
}

/** An update on condition that the source is as it was read. What is on its way has the slug that was found free, too. */
function updateOf(
  read: Source,
  configuration: SourceConfiguration,
  { pending, endpointId, updatedAt }: SourceChange,
) {
  const { nameSlug } = configuration;
  return {
    Key: sourceKey(read.id),
    UpdateExpression: `SET #configuration = :configuration, updatedAt = :updatedAt${pending ? ', #pending = :pending' : ''}${endpointId === undefined ? '' : ', endpointId = :endpointId'}`,
    ConditionExpression: '#state <> :deleting AND updatedAt = :read AND attribute_not_exists(#pending)',
    ExpressionAttributeNames: { '#state': 'state', '#configuration': 'configuration', '#pending': 'pending' },
    ExpressionAttributeValues: {
      ':deleting': 'deleting',
      ':read': read.updatedAt,
      ':configuration': storedConfiguration(configuration),
      ':updatedAt': updatedAt,
      ...(endpointId === undefined ? {} : { ':endpointId': endpointId }),
      ...(pending
        ? { ':pending': storedPending({ ...pending, configuration: { ...pending.configuration, nameSlug } }) }
        : {}),
    },
  };
}

/** The slug of the stored configuration and of the one on its way are one. */
function withSlug(source: Source, nameSlug: string): Source {
  const { pending } = source;
  return {
    ...source,
    configuration: { ...source.configuration, nameSlug },
    ...(pending ? { pending: { ...pending, configuration: { ...pending.configuration, nameSlug } } } : {}),
  };
}
