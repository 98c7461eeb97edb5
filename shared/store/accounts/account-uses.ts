import * as z from 'zod';
import { accountIdsAmong } from '../../domain/account/account.ts';
import { PropDefinition } from '../../domain/component/prop-definition.ts';
import { SourceTraits } from '../../domain/component/source-traits.ts';
import { type AccountId, SourceId, type UserId } from '../../domain/id.ts';
import { SourceState } from '../../domain/source/source.ts';
import { sourceKey } from '../table/keys.ts';
import { pointedItems } from '../table/page.ts';
import { readItems } from '../table/read-items.ts';
import type { TableOptions } from '../table/table-client.ts';

/** The parts of a source's item that name accounts. Values of props are JSON text. */
const StoredUse = z.object({
  configuration: z.object({
    nameSlug: z.string(),
    configuredProps: z.string(),
    additionalProps: z.string().optional(),
  }),
  traits: SourceTraits.pick({ appProps: true }),
});
const StoredSource = StoredUse.extend({
  id: SourceId,
  state: SourceState,
  pending: StoredUse.optional(),
});

export interface AccountUse {
  id: SourceId;
  nameSlug: string;
}

export type AccountUses = ReadonlyMap<AccountId, readonly AccountUse[]>;

export type AccountUseStore = ReturnType<typeof accountUseStore>;

export function accountUseStore(table: TableOptions) {
  return {
    /**
     * The sources of a user by the accounts that their app props name, newest first, also those of an update that is
     * under way. Reads all sources of the user: uses are asked for seldom, and an item for each use would cost every
     * create and update of a source a write.
     */
    async read(ownerId: UserId): Promise<AccountUses> {
      const uses = new Map<AccountId, AccountUse[]>();
      const keyOf = (id: string) => sourceKey(SourceId.parse(id));
      for await (const items of pointedItems(table, { list: 'sources', ownerId, keyOf })) {
        const sources = readItems(table, items, (item) => StoredSource.parse(item));
        sources.sort((a, b) => (a.id < b.id ? 1 : -1));
        for (const source of sources) addUses(uses, source);
      }
      return uses;
    },
  };
}

function addUses(uses: Map<AccountId, AccountUse[]>, source: z.infer<typeof StoredSource>): void {
  const { id, state, pending, configuration } = source;
  if (state === 'deleting') return;
  const named = new Set([source, ...(pending ? [pending] : [])].flatMap(accountsOf));
  for (const account of named)
    uses.set(account, [...(uses.get(account) ?? []), { id, nameSlug: configuration.nameSlug }]);
}

function accountsOf({ configuration, traits }: z.infer<typeof StoredUse>): AccountId[] {
  const { configuredProps, additionalProps = '[]' } = configuration;
  const additional = z.array(PropDefinition).parse(JSON.parse(additionalProps));
  const apps = [
    ...Object.entries(traits.appProps ?? {}),
    ...additional.filter(({ type }) => type === 'app').map(({ name }): [string, string] => [name, '']),
  ];
  if (apps.length === 0) return [];
  return accountIdsAmong(
    z.record(z.string(), z.unknown()).parse(JSON.parse(configuredProps)),
    Object.fromEntries(apps),
  );
}
