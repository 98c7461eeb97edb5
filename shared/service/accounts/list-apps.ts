import type { UserId } from '../../domain/id.ts';
import type { AccountStore } from '../../store/accounts.ts';
import type { ComponentAppStore } from '../../store/component-apps.ts';

interface ListAppsContext {
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
  /** The number of the user's accounts. */
  accounts: number;
}

/** The apps of the user's components and of the published ones, sorted by name. */
export async function listApps({ accounts, componentApps }: ListAppsContext, userId: UserId): Promise<App[]> {
  const [counts, read] = await Promise.all([accounts.countByApp(userId), componentApps.read(userId)]);
  return [...read]
    .map(([app, fields]): App => ({
      app,
      auth: 'fields',
      fields: [...fields].sort(),
      provider: null,
      parameters: [],
      accounts: counts.get(app) ?? 0,
    }))
    .sort((a, b) => (a.app < b.app ? -1 : 1));
}
