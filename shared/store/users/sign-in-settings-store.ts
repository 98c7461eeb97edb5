import { SignInSettings } from '../../domain/person/sign-in-settings.ts';
import { cachedRead, TtlCache } from '../../lib/ttl-cache.ts';
import { signInSettingsKey } from '../table/keys.ts';
import { readOne } from '../table/read-items.ts';
import { deleteItem, getItem, putItem, type TableOptions } from '../table/table-client.ts';

export type SignInSettingsStore = ReturnType<typeof signInSettingsStore>;

/** How people sign in; one item. */
export function signInSettingsStore(table: TableOptions) {
  return {
    async find(): Promise<SignInSettings | undefined> {
      const item = await getItem(table, signInSettingsKey);
      return item && readOne('the settings of sign-in', () => SignInSettings.parse(item));
    },
    put: async (settings: SignInSettings): Promise<void> => {
      await putItem(table, { Item: { ...signInSettingsKey, ...settings } });
    },
    remove: async (): Promise<void> => {
      await deleteItem(table, { Key: { ...signInSettingsKey } });
    },
  };
}

/** A person who is no longer named loses access within this time. */
const CACHE_MS = 60_000;

export type ReadSettings = () => Promise<SignInSettings | undefined>;

export function cachedSignInSettings({ find }: Pick<SignInSettingsStore, 'find'>, now: () => number): ReadSettings {
  const cache = new TtlCache<'settings', Promise<SignInSettings | undefined>>({
    ttlMs: CACHE_MS,
    maxEntries: 1,
    now,
  });
  return () => cachedRead(cache, 'settings', find);
}
