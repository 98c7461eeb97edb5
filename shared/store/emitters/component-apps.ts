import * as z from 'zod';
import { AppSlug } from '../../domain/account/account.ts';
import { withAuthFields } from '../../domain/component/auth-fields.ts';
import { Component, ComponentDescription } from '../../domain/component/component.ts';
import { ComponentId, type UserId } from '../../domain/id.ts';
import {
  COMPONENT_KEY_PREFIX,
  COMPONENT_NAME_PREFIX,
  componentKey,
  REGISTRY_PARTITION,
  userPartition,
} from '../table/keys.ts';
import { batchGet, beginningWith, queryPages, type TableOptions, wholePartition } from '../table/table-client.ts';

const Pointer = z.object({ componentId: ComponentId });
/** The description is JSON text. */
const StoredComponent = z.object({ description: z.string(), authReads: Component.shape.authReads });
const Props = ComponentDescription.pick({ props: true });

/** No account can be connected for an app that has no slug. */
const AppProp = z.looseObject({
  type: z.literal('app'),
  app: AppSlug,
  authFields: z.array(z.string()),
});

/** The fields that components read of an account, by app. */
export type ComponentApps = Map<string, Set<string>>;

export type ComponentAppStore = ReturnType<typeof componentAppStore>;

export function componentAppStore(table: TableOptions) {
  return {
    /** The apps of a user's components and of the published ones. Reads the newest component of every key and name. */
    async read(ownerId: UserId): Promise<ComponentApps> {
      const apps: ComponentApps = new Map();
      const own = userPartition(ownerId);
      for (const query of [
        beginningWith(own, COMPONENT_KEY_PREFIX),
        beginningWith(own, COMPONENT_NAME_PREFIX),
        wholePartition(REGISTRY_PARTITION),
      ]) {
        for await (const pointers of queryPages(table, query)) {
          const ids = pointers.map((item) => Pointer.parse(item).componentId);
          await addAppsOf(apps, ids);
        }
      }
      return apps;
    },
  };

  /** At most a hundred components are in memory at a time. */
  async function addAppsOf(apps: ComponentApps, ids: readonly ComponentId[]): Promise<void> {
    for (let start = 0; start < ids.length; start += 100) {
      const items = await batchGet(table, ids.slice(start, start + 100).map(componentKey));
      for (const item of items) addApps(apps, item);
    }
  }
}

function addApps(apps: ComponentApps, item: Record<string, unknown>): void {
  const { description, authReads } = StoredComponent.parse(item);
  const { props } = Props.parse(JSON.parse(description));
  for (const prop of withAuthFields(props, authReads)) {
    const { data } = AppProp.safeParse(prop);
    if (data) apps.set(data.app, new Set([...(apps.get(data.app) ?? []), ...data.authFields]));
  }
}
