import { useMemo } from 'preact/hooks';
import type { Subscription } from '../../api/wire.ts';
import { Combobox } from '../../choosing/combobox.tsx';
import { useAddressFilter } from '../../hooks/use-address-filter.ts';
import type { Directory } from '../../hooks/use-directory.ts';
import { countText } from '../../locale.ts';
import { distinctEdges } from './graph-layout.ts';
import { edgesAround, MAX_EDGES } from './map-edges.ts';
import { SubscriptionGraph } from './subscription-graph.tsx';

interface SubscriptionMapProps {
  subscriptions: readonly Subscription[];
  directory: Directory;
}

/** The map of everything, if it is small, or of what a person chooses. `?of=` chooses in advance. */
export function SubscriptionMap({ subscriptions, directory }: SubscriptionMapProps) {
  const [of, setOf] = useAddressFilter('of');
  const all = useMemo(
    () => distinctEdges(subscriptions.map(({ emitter_id: from, listener_id: to }) => ({ from, to }))),
    [subscriptions],
  );
  const shown = of === '' ? all : edgesAround(of, all);
  const entries = [...new Set(all.flatMap(({ from, to }) => [from, to]))].map(directory.entryOf);
  const ofKind = (kind: string) => entries.filter(({ id }) => id.startsWith(kind));
  return (
    <section class="stack" aria-labelledby="map">
      <h2 id="map">Map</h2>
      <div class="filters">
        <Combobox
          label="Map of"
          value={of}
          onChange={setOf}
          placeholder="Everything"
          groups={[
            ['Sources', ofKind('dc_')],
            ['Workflows', ofKind('p_')],
            ['Webhooks', ofKind('wh_')],
          ]}
        />
      </div>
      {shown.length === 0 && <p class="hint">It has no subscription in this list.</p>}
      {shown.length > MAX_EDGES && (
        <p class="hint">
          {countText(shown.length)} lines are too many for one map. Choose a source, a workflow or a webhook, or search.
        </p>
      )}
      {shown.length > 0 && shown.length <= MAX_EDGES && <SubscriptionGraph edges={shown} directory={directory} />}
      {of !== '' && shown.length === MAX_EDGES && <p class="hint">These are the {MAX_EDGES} nearest lines.</p>}
    </section>
  );
}
