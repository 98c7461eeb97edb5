import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { SourceId, type UserId } from '../../domain/id.ts';
import type { PendingRevision, Source, SourceConfiguration, Suspension } from '../../domain/source/source.ts';
import { freeSlug } from '../../domain/source/slug.ts';
import { changeCurrent } from '../table/change-current.ts';
import { changeItem } from '../table/change-item.ts';
import { countUp, limitReached } from '../table/counts.ts';
import { endpointKey, slugKey, sourceKey, sourceListKey } from '../table/keys.ts';
import { type Filter, pointedIds, readPage, type Page, type PageRequest } from '../table/page.ts';
import { takenSlugs } from '../table/slugs.ts';
import { sourceRemoval } from './source-removal.ts';
import { sourceRevisions } from './source-revisions.ts';
import { fromSourceItem, storedConfiguration, storedPending, toSourceItem } from './source-item.ts';
import { readList, readOne } from '../table/read-items.ts';
import {
  updateItem,
  IS_NEW,
  batchGet,
  getItem,
  type TableOptions,
  transact,
  type Writes,
} from '../table/table-client.ts';

export type SourceStore = ReturnType<typeof sourceStore>;

/** A change of a source. With `pending`, code, props and activity change when the revision is executed. */
interface SourceChange {
  configuration: SourceConfiguration;
  pending?: PendingRevision;
  /** A new HTTP endpoint, when only the new code needs one. */
  endpointId?: string;
  updatedAt: number;
}

/** Every transition is one conditional write; after a lost race the caller reads the source again. */
export function sourceStore(table: TableOptions) {
  /** Returns tombstones too, in state `deleting`. Undefined when the source never existed or was purged. */
  async function find(id: SourceId): Promise<Source | undefined> {
    const Item = await getItem(table, sourceKey(id));
    return Item && readOne(id, () => fromSourceItem(Item));
  }

  return {
    find,
    ...namedSources(table),
    ...sourceRevisions(table),
    ...sourceRemoval(table, find),

    async findByEndpoint(endpointId: string): Promise<SourceId | undefined> {
      const Item = await getItem(table, endpointKey(endpointId));
      return Item && z.object({ sourceId: SourceId }).parse(Item).sourceId;
    },

    /** Gives the endpoint of a source another id. False when the source has changed, or another source has the id. */
    async setEndpoint({ id, endpointId: last = '' }: Source, endpointId: string): Promise<boolean> {
      const { tableName: TableName } = table;
      const { ok } = await transact(table, [
        {
          Update: {
            TableName,
            Key: sourceKey(id),
            UpdateExpression: 'SET endpointId = :new',
            ConditionExpression: 'endpointId = :last AND #state <> :deleting',
            ExpressionAttributeNames: { '#state': 'state' },
            ExpressionAttributeValues: { ':new': endpointId, ':last': last, ':deleting': 'deleting' },
          },
        },
        { Put: { TableName, Item: { ...endpointKey(endpointId), sourceId: id }, ...IS_NEW } },
        { Delete: { TableName, Key: endpointKey(last) } },
      ]);
      return ok;
    },

    async ids(ownerId: UserId): Promise<SourceId[]> {
      const ids = await pointedIds(table, { list: 'sources', ownerId });
      return ids.map((id) => SourceId.parse(id));
    },

    /** Suspends a source, or resumes it without a suspension. A source that was deleted meanwhile stays as it is. */
    async setSuspension(id: SourceId, suspension: Suspension | undefined): Promise<void> {
      await changeItem(table, sourceKey(id), { change: { suspension } });
    },

    list: (ownerId: UserId, request: PageRequest, filter?: Filter<Source>): Promise<Page<Source>> =>
      readPage(table, {
        scope: { list: 'sources', ownerId },
        request,
        filter,
        read: async (ids) => {
          const keys = ids.map((id) => sourceKey(SourceId.parse(id)));
          const found = await readList(table, await batchGet(table, keys), fromSourceItem);
          return found.filter(({ state }) => state !== 'deleting');
        },
      }),
  };
}

/** The writes that give a source its name, which is unique among those of its user. */
function namedSources(table: TableOptions) {
  const { tableName: TableName } = table;
  return {
    /** Stores a new source; a slug in use gets the smallest free number. Returns the source as stored. */
    create(source: Source, limit: number): Promise<Source> {
      const { ownerId, configuration } = source;
      return withFreeSlug(ownerId, configuration.nameSlug, async (slug) => {
        const named = withSlug(source, slug);
        const result = await transact(table, [
          { Put: { TableName, Item: toSourceItem(named), ...IS_NEW } },
          slugPut(ownerId, slug, source.id),
          countUp(TableName, ownerId, { counted: 'sources', limit }),
          { Put: { TableName, Item: sourceListKey(ownerId, source.id) } },
          ...endpointPut(source.endpointId, source.id),
        ]);
        if (result.ok) return named;
        if (result.failed === 2) throw limitReached('sources', limit);
        if (result.failed === 0) throw new Error(`A source with the id ${source.id} exists`);
        return undefined;
      });
    },

    /**
     * Changes a source on condition that it is unchanged since `read`. Undefined when it was changed or deleted, or has
     * a pending update. A new name gets a free slug, which the returned configuration contains.
     */
    async change(read: Source, change: SourceChange): Promise<SourceConfiguration | undefined> {
      const { ownerId, configuration } = read;
      const preferred = change.configuration.nameSlug;
      const isRenamed = preferred !== configuration.nameSlug;
      if (!isRenamed && change.endpointId === undefined) {
        const isWritten = await updateItem(table, updateOf(read, change.configuration, change));
        return isWritten ? change.configuration : undefined;
      }
      const changed = await withFreeSlug(ownerId, preferred, async (slug) => {
        const named = { ...change.configuration, nameSlug: slug };
        const result = await transact(table, [
          { Update: { TableName, ...updateOf(read, named, change) } },
          ...(isRenamed
            ? [
                slugPut(ownerId, slug, read.id),
                { Delete: { TableName, Key: slugKey(ownerId, configuration.nameSlug) } },
              ]
            : []),
          ...endpointPut(change.endpointId, read.id),
        ]);
        return result.ok ? named : result.failed === 0 && 'outdated';
      });
      return changed === 'outdated' ? undefined : changed;
    },
  };

  /** Writes the preferred slug or, if it is in use, the one with the smallest free number. */
  function withFreeSlug<T>(ownerId: UserId, read: string, write: (slug: string) => Promise<T | undefined | false>) {
    const find = async () => freeSlug(read, await takenSlugs(table, ownerId, read));
    return changeCurrent({ read, find, write });
  }

  function slugPut(ownerId: UserId, slug: string, sourceId: SourceId) {
    const Item = { ...slugKey(ownerId, slug), sourceId };
    return { Put: { TableName, Item, ...IS_NEW } };
  }

  function endpointPut(endpointId: string | undefined, sourceId: SourceId): Writes {
    return endpointId === undefined ? [] : [{ Put: { TableName, Item: { ...endpointKey(endpointId), sourceId } } }];
  }
}

/** An update on condition that the source is unchanged since `read`. The pending configuration gets the same slug. */
function updateOf(read: Source, configuration: SourceConfiguration, { pending, endpointId, updatedAt }: SourceChange) {
  const { nameSlug } = configuration;
  return {
    Key: sourceKey(read.id),
    UpdateExpression: `SET #configuration = :configuration, changedBy = :change, updatedAt = :updatedAt${pending ? ', #pending = :pending' : ''}${endpointId === undefined ? '' : ', endpointId = :endpointId'}`,
    // The last alternative is this very change: the SDK repeats a request whose response was lost.
    ConditionExpression:
      '#state <> :deleting AND (updatedAt = :read AND attribute_not_exists(#pending) OR changedBy = :change)',
    ExpressionAttributeNames: { '#state': 'state', '#configuration': 'configuration', '#pending': 'pending' },
    ExpressionAttributeValues: {
      ':change': randomUUID(),
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

/** Sets the slug of the current and of the pending configuration. */
function withSlug(source: Source, nameSlug: string): Source {
  const { pending } = source;
  return {
    ...source,
    configuration: { ...source.configuration, nameSlug },
    ...(pending ? { pending: { ...pending, configuration: { ...pending.configuration, nameSlug } } } : {}),
  };
}
