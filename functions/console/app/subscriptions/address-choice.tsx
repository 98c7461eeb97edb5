import { type QueryClient, useQuery } from '@tanstack/preact-query';
import { hasAppHook, MAX_READ_COMPONENTS, oneAddressProvider } from '../../../../shared/domain/app-hook/one-address.ts';
import { getComponent } from '../api/component-api.ts';
import { allSources } from '../api/whole-lists.ts';
import type { Component, SourceItem } from '../api/wire.ts';
import { SelectFilter } from '../components/select-filter.tsx';
import { type Emitter, emitterFor } from './app-emitter.ts';

interface AddressChoiceProps {
  component: Component;
  value: Emitter | undefined;
  onChange: (emitter: Emitter) => void;
}

/**
 * Whether a new source gets an app's events at its own address, or from the source that has the only address of the
 * app.
 */
export function AddressChoice({ component, value, onChange }: AddressChoiceProps) {
  const provider = oneAddressProvider(component.configurable_props);
  const { data: sources = [] } = useQuery({
    queryKey: ['sources', { provider }],
    queryFn: ({ client }) => sourcesOf(client, provider),
    enabled: provider !== undefined,
  });
  if (provider === undefined) return null;
  return (
    <SelectFilter
      label="Events come from"
      value={emitterFor(component, value)}
      onChange={(id) => onChange({ provider, id })}
      all={`${provider}, at the address of this source`}
      values={sources.map(({ id, name }) => [id, `${name}, which has the address`])}
      hint={`${provider} has one address per app. Register that of one source, and let the others listen to it.`}
    />
  );
}

async function sourcesOf(queries: QueryClient, provider: string | undefined): Promise<SourceItem[]> {
  const sources = (await allSources(queries)).filter((source) => hasAppHook(source.configured_props));
  const ids = [...new Set(sources.map((source) => source.component_id))].slice(0, MAX_READ_COMPONENTS);
  const components = await Promise.all(ids.map(async (id) => (await getComponent(id)).data));
  const ofProvider = new Set(
    components.filter((each) => oneAddressProvider(each.configurable_props) === provider).map(({ id }) => id),
  );
  return sources.filter((source) => ofProvider.has(source.component_id));
}
