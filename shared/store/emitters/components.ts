import * as z from 'zod';
import { Component, ComponentDescription } from '../../domain/component/component.ts';
import { ComponentId, type UserId } from '../../domain/id.ts';
import { countUp, limitReached, readCounts } from '../table/counts.ts';
import {
  COMPONENT_KEY_PREFIX,
  COMPONENT_NAME_PREFIX,
  componentContentKey,
  componentKey,
  componentKeyKey,
  componentNameKey,
  REGISTRY_PARTITION,
  registryKey,
  userPartition,
} from '../table/keys.ts';
import { type Filter, type Page, type PageRequest, readFilteredPage } from '../table/page.ts';
import { readItems, readOne } from '../table/read-items.ts';
import {
  putItem,
  updateItem,
  batchGet,
  beginningWith,
  getItem,
  IS_NEW,
  type Key,
  queryAll,
  type TableOptions,
  transact,
  wholePartition,
} from '../table/table-client.ts';

export type ComponentStore = ReturnType<typeof componentStore>;

const Pointer = z.object({ componentId: ComponentId });
/** The description is stored as JSON text: DynamoDB's numbers and maps do not preserve every JSON value. */
const StoredComponent = Component.extend({ description: z.string() });

/** The fields that saving the same content again changes. An earlier release found no `authReads`. */
type Renewal = { now: number } & Pick<Component, 'componentUrl' | 'authReads'>;

export function componentStore(table: TableOptions) {
  async function find(id: ComponentId): Promise<Component | undefined> {
    const item = await getItem(table, componentKey(id));
    return item && readOne(id, () => fromItem(item));
  }

  async function follow(pointer: Key): Promise<Component | undefined> {
    const item = await getItem(table, pointer);
    return item && find(Pointer.parse(item).componentId);
  }

  async function readAll(ids: readonly string[]): Promise<Component[]> {
    const keys = ids.map((id) => componentKey(ComponentId.parse(id)));
    return readItems(table, await batchGet(table, keys), fromItem);
  }

  return {
    find,
    ...componentWrites(table, follow),

    findByContent: (ownerId: UserId, contentHash: string) => follow(componentContentKey(ownerId, contentHash)),

    findByKey: (ownerId: UserId, key: string) => follow(componentKeyKey(ownerId, key)),

    findPublished: (key: string) => follow(registryKey(key)),

    /** The newest component of each key, and of each name without a key; newest first. */
    list: (ownerId: UserId, request: PageRequest, filter?: Filter<Component>): Promise<Page<Component>> =>
      readFilteredPage({
        scope: { list: 'components', ownerId },
        request,
        filter,
        ids: async () => {
          const prefixes = [COMPONENT_KEY_PREFIX, COMPONENT_NAME_PREFIX];
          const pointers = await Promise.all(
            prefixes.map((prefix) => queryAll(table, beginningWith(userPartition(ownerId), prefix))),
          );
          return newestFirst(pointers.flat());
        },
        read: readAll,
      }),

    /** The components that the operator published, newest first. The caller's id is part of their cursors. */
    listPublished: (callerId: UserId, request: PageRequest, filter?: Filter<Component>): Promise<Page<Component>> =>
      readFilteredPage({
        scope: { list: 'published components', ownerId: callerId },
        request,
        filter,
        ids: async () => newestFirst(await queryAll(table, ofRegistry)),
        read: readAll,
      }),

    /** Throws when the owner has no room for another component. */
    async checkRoom(ownerId: UserId, limit: number): Promise<void> {
      const { components } = await readCounts(table, ownerId);
      if (components >= limit) throw limitReached('components', limit);
    },
  };
}

const ofRegistry = wholePartition(REGISTRY_PARTITION);

/** The ids of pointers. An id begins with the time of its creation. */
const newestFirst = (pointers: readonly unknown[]): ComponentId[] =>
  pointers
    .map((item) => Pointer.parse(item).componentId)
    .sort()
    .reverse();

const newestOf = (TableName: string, { id, ownerId, description: { key, name } }: Component) => {
  const pointer = key === undefined ? componentNameKey(ownerId, name) : componentKeyKey(ownerId, key);
  return [{ Put: { TableName, Item: { ...pointer, componentId: id } } }];
};

const toItem = (component: Component) => ({
  ...componentKey(component.id),
  ...component,
  description: JSON.stringify(component.description),
});

function fromItem(item: unknown): Component {
  const stored = StoredComponent.parse(item);
  return { ...stored, description: ComponentDescription.parse(JSON.parse(stored.description)) };
}

function componentWrites(table: TableOptions, follow: (pointer: Key) => Promise<Component | undefined>) {
  const { tableName: TableName } = table;
  return {
    /**
     * Stores a component, or renews the owner's component of the same content. Returns the stored one. `bytes` are
     * those of its objects.
     */
    async save(component: Component, limit: number, bytes = 0): Promise<Component> {
      const { ownerId, contentHash } = component;
      const pointer = { componentId: component.id };
      const result = await transact(table, [
        { Put: { TableName, Item: { ...componentContentKey(ownerId, contentHash), ...pointer }, ...IS_NEW } },
        countUp(TableName, ownerId, { counted: 'components', limit, bytes }),
        { Put: { TableName, Item: toItem(component) } },
        ...newestOf(TableName, component),
      ]);
      if (result.ok) return component;
      if (result.failed === 1) throw limitReached('components', limit);
      const existing = await follow(componentContentKey(ownerId, contentHash));
      if (!existing) throw new Error(`The component of content ${contentHash} has no item`);
      const { updatedAt: now, componentUrl, authReads } = component;
      return this.renew(existing, { now, componentUrl, authReads });
    },

    /** Makes an existing component the newest of its key, after the same content was saved again. */
    async renew(component: Component, { now, componentUrl, authReads }: Renewal): Promise<Component> {
      const renewed = {
        ...component,
        updatedAt: now,
        componentUrl: componentUrl ?? component.componentUrl,
        authReads: authReads ?? component.authReads ?? [],
      };
      const result = await transact(table, [
        {
          Update: {
            TableName,
            Key: componentKey(component.id),
            UpdateExpression: 'SET updatedAt = :now, componentUrl = :url, authReads = :reads',
            ConditionExpression: 'attribute_exists(pk)',
            ExpressionAttributeValues: {
              ':now': now,
              ':url': renewed.componentUrl,
              ':reads': renewed.authReads,
            },
          },
        },
        ...newestOf(TableName, component),
      ]);
      if (!result.ok) throw new Error(`The component ${component.id} does not exist`);
      return renewed;
    },

    /** Publishes the component under its key and replaces an earlier one. False when it has no key. */
    async publish({ id, description }: Component): Promise<boolean> {
      // Components of earlier releases may have an empty one.
      if (!description.key) return false;
      await updateItem(table, {
        Key: componentKey(id),
        UpdateExpression: 'SET published = :yes',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':yes': true },
      });
      await putItem(table, { Item: { ...registryKey(description.key), componentId: id } });
      return true;
    },
  };
}
