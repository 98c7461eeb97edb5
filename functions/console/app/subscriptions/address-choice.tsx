import { useQuery } from '@tanstack/preact-query';
import { useId } from 'preact/hooks';
import { hasAppHook, MAX_READ_COMPONENTS, oneAddressProvider } from '../../../../shared/domain/app-hook/one-address.ts';
import { getComponent } from '../api/component-api.ts';
import { everyPage } from '../api/list-pages.ts';
import type { Component, SourceItem } from '../api/wire.ts';
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
  const id = useId();
  const provider = oneAddressProvider(component.configurable_props);
  const { data: sources = [] } = useQuery({
    queryKey: ['sources', { provider }],
    queryFn: () => sourcesOf(provider),
    enabled: provider !== undefined,
  });
  if (provider === undefined) return null;
  return (
    <div class="field">
      <div class="label">
        <label htmlFor={id}>Events come from</label>
      </div>
      <select
        id={id}
        value={emitterFor(component, value)}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => onChange({ provider, id: currentTarget.value })}
      >
        <option value="">{provider}, at the address of this source</option>
        {sources.map((source) => (
          <option key={source.id} value={source.id}>
            {source.name}, which has the address
          </option>
        ))}
      </select>
      <span class="hint" id={`${id}-hint`}>
        {provider} has one address per app. Register that of one source, and let the others listen to it.
      </span>
    </div>
  );
}

async function sourcesOf(provider: string | undefined): Promise<SourceItem[]> {
  const sources = (await everyPage<SourceItem>('/users/me/sources')).filter((source) =>
    hasAppHook(source.configured_props),
  );
  const ids = [...new Set(sources.map((source) => source.component_id))].slice(0, MAX_READ_COMPONENTS);
  const components = await Promise.all(ids.map(async (id) => (await getComponent(id)).data));
  const ofProvider = new Set(
    components.filter((each) => oneAddressProvider(each.configurable_props) === provider).map(({ id }) => id),
  );
  return sources.filter((source) => ofProvider.has(source.component_id));
}
