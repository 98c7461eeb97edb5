import type { Subscription } from '../../api/wire.ts';
import { Table } from '../../components/table.tsx';
import type { Directory } from '../../hooks/use-directory.ts';
import { EntryLink, SETTING_COLUMNS, StreamName } from '../../subscriptions/cells.tsx';
import { RemoveSubscription } from '../../subscriptions/remove-subscription.tsx';

interface SubscriptionTableProps {
  rows: readonly Subscription[];
  directory: Directory;
}

export const SubscriptionTable = ({ rows, directory }: SubscriptionTableProps) => (
  <Table
    name="Subscriptions"
    rows={rows}
    idOf={({ id }) => id}
    columns={[
      { name: 'Emitter', cell: ({ emitter_id: id }) => <EntryLink entry={directory.entryOf(id)} /> },
      { name: 'Stream', cell: ({ event_name: name }) => <StreamName name={name} /> },
      { name: 'Listener', cell: ({ listener_id: id }) => <EntryLink entry={directory.entryOf(id)} /> },
      ...SETTING_COLUMNS,
      { name: 'Actions', cell: (each) => <RemoveSubscription subscription={each} directory={directory} /> },
    ]}
  />
);
