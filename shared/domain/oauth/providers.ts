import { COMMON_FACTS, type ProviderEntry } from './provider.ts';
import { codeProviders } from './providers/code-providers.ts';
import { commerceProviders } from './providers/commerce-providers.ts';
import { communicationProviders } from './providers/communication-providers.ts';
import { crmProviders } from './providers/crm-providers.ts';
import { designProviders } from './providers/design-providers.ts';
import { filesProviders } from './providers/files-providers.ts';
import { formsProviders } from './providers/forms-providers.ts';
import { healthProviders } from './providers/health-providers.ts';
import { mediaProviders } from './providers/media-providers.ts';
import { officeProviders } from './providers/office-providers.ts';
import { projectsProviders } from './providers/projects-providers.ts';

/** The built-in providers, by name. */
export const OAUTH_PROVIDERS: readonly ProviderEntry[] = Object.entries({
  ...codeProviders,
  ...commerceProviders,
  ...communicationProviders,
  ...crmProviders,
  ...designProviders,
  ...filesProviders,
  ...formsProviders,
  ...healthProviders,
  ...mediaProviders,
  ...officeProviders,
  ...projectsProviders,
})
  .map(([name, facts]) => ({
    ...{ name, ...COMMON_FACTS, title: name.charAt(0).toUpperCase() + name.slice(1), apps: { [name]: [] } },
    ...facts,
  }))
  .sort((a, b) => (a.name < b.name ? -1 : 1));

const byName = new Map(OAUTH_PROVIDERS.map((entry) => [entry.name, entry]));
const byApp = new Map(OAUTH_PROVIDERS.flatMap((entry) => Object.keys(entry.apps).map((app) => [app, entry])));

export const providerNamed = (name: string): ProviderEntry | undefined => byName.get(name);

/** The built-in provider that the accounts of an app belong to. */
export const providerOfApp = (app: string): ProviderEntry | undefined => byApp.get(app);
