import { useQuery } from '@tanstack/preact-query';
import { Allowed } from '../../api/rights.tsx';
import { listSubscriptions } from '../../api/subscription-api.ts';
import type { Source, Subscription } from '../../api/wire.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Table } from '../../components/table.tsx';
import { type Directory, useDirectory } from '../../hooks/use-directory.ts';
import { EntryLink, FilterText, StreamName } from '../../subscriptions/cells.tsx';
import { RemoveSubscription } from '../../subscriptions/remove-subscription.tsx';
import { STALE_MS } from '../../subscriptions/use-streams.ts';
import { useSubscriptionForm } from '../../subscriptions/use-subscription-form.tsx';
import { SourceFrame } from './source-frame.tsx';

export const SourceListenersPage = ({ id = '' }: { id?: string }) => (
  <SourceFrame id={id}>{(source) => <Listeners source={source} />}</SourceFrame>
);

function Listeners({ source: { id } }: { source: Source }) {
  const subscriptions = useQuery({ queryKey: ['subscriptions'], queryFn: listSubscriptions, staleTime: STALE_MS });
  const directory = useDirectory();
  const { button, formWith } = useSubscriptionForm({ title: 'New listener', action: 'Add listener', emitterId: id });
  return (
    <Loaded query={directory}>
      {(names) => (
        <>
          <div class="section-header">
            <h2>Listeners</h2>
            {button}
          </div>
          {formWith(names)}
          <Loaded query={subscriptions}>
            {({ data }) => (
              <ListenerList
                subscriptions={data.filter(({ emitter_id: emitter }) => emitter === id || emitter === 'dc_*')}
                directory={names}
              />
            )}
          </Loaded>
        </>
      )}
    </Loaded>
  );
}

interface ListenerListProps {
  subscriptions: readonly Subscription[];
  directory: Directory;
}

function ListenerList({ subscriptions, directory }: ListenerListProps) {
  if (subscriptions.length === 0)
    return (
      <EmptyState title="Nothing listens to this source.">
        <Allowed>
          <p>
            Press New listener, and choose a webhook, another source or a workflow: it gets every event from then on.
          </p>
        </Allowed>
      </EmptyState>
    );
  return (
    <Table
      name="Listeners"
      rows={subscriptions}
      idOf={({ id }) => id}
      columns={[
        { name: 'Listener', cell: ({ listener_id: id }) => <EntryLink entry={directory.entryOf(id)} /> },
        { name: 'Stream', cell: ({ event_name: name }) => <StreamName name={name} /> },
        { name: 'Filter', kind: 'wider', cell: ({ filter }) => <FilterText filter={filter} /> },
        {
          name: 'From',
          kind: 'wide',
          cell: ({ emitter_id: emitter }) => (
            <span class="nowrap">{emitter === 'dc_*' ? 'all sources' : 'this source'}</span>
          ),
        },
        { name: 'Actions', cell: (each) => <RemoveSubscription subscription={each} directory={directory} /> },
      ]}
    />
  );
}
