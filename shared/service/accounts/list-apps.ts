import type { UserId } from '../../domain/id.ts';
import { openPlaceholders, titleOf } from '../../domain/oauth/resolve-client.ts';
import type { AccountStore } from '../../store/accounts/accounts.ts';
import type { OAuthClientStore } from '../../store/accounts/oauth-clients.ts';
import type { ComponentAppStore } from '../../store/emitters/component-apps.ts';

interface ListAppsContext {
  clients: Pick<OAuthClientStore, 'list'>;
  accounts: Pick<AccountStore, 'countByApp'>;
  componentApps: Pick<ComponentAppStore, 'read'>;
}

/** An app that a user can connect an account of. */
export interface App {
  app: string;
  auth: 'oauth' | 'fields';
  /** The fields that components read, sorted. */
  fields: readonly string[];
  provider: string | null;
  /** Names of the values that a sign-in asks for. */
  parameters: readonly string[];
  accounts: number;
}

/** The apps of the user's components, of the published ones, and of the registered clients, sorted by name. */
export async function listApps({ accounts, clients, componentApps }: ListAppsContext, userId: UserId): Promise<App[]> {
  const [counts, read, registered] = await Promise.all([
    accounts.countByApp(userId),
    componentApps.read(userId),
    clients.list(),
  ]);
  const clientOf = new Map(registered.flatMap((client) => client.apps.map((app) => [app, client] as const)));
  return [...new Set([...read.keys(), ...clientOf.keys()])]
    .map((app): App => {
      const client = clientOf.get(app);
      return {
        app,
        auth: client ? 'oauth' : 'fields',
        fields: [...(read.get(app) ?? [])].sort(),
        provider: client ? titleOf(client) : null,
        parameters: client ? Object.keys(openPlaceholders(client)).sort() : [],
        accounts: counts.get(app) ?? 0,
      };
    })
    .sort((a, b) => (a.app < b.app ? -1 : 1));
}
