import { useQueryClient } from '@tanstack/preact-query';
import { deleteAutoSubscription } from '../../api/auto-subscription-api.ts';
import type { AutoSubscription } from '../../api/wire.ts';
import { DeleteButton } from '../../components/buttons/delete-button.tsx';
import { Table } from '../../components/table.tsx';
import type { Directory } from '../../hooks/use-directory.ts';
import { EntryLink, SETTING_COLUMNS, StreamName } from '../../subscriptions/cells.tsx';

interface AutoSubscriptionTableProps {
  rows: readonly AutoSubscription[];
  directory: Directory;
}

/** Subscriptions that every emitter gets when it is made. */
export const AutoSubscriptionTable = ({ rows, directory }: AutoSubscriptionTableProps) => (
  <section class="stack" aria-labelledby="auto-subscriptions">
    <div>
      <h2 id="auto-subscriptions">Auto-subscriptions</h2>
      <p class="hint">
        Every source and workflow that is made from now on gets them. Removing one keeps what it has made.
      </p>
    </div>
    <Table
      name="Auto-subscriptions"
      rows={rows}
      idOf={({ id }) => id}
      columns={[
        { name: 'Stream', cell: ({ event_name: name }) => <StreamName name={name} /> },
        { name: 'Listener', cell: ({ listener_id: id }) => <EntryLink entry={directory.entryOf(id)} /> },
        ...SETTING_COLUMNS,
        { name: 'Actions', cell: (each) => <Remove autoSubscription={each} /> },
      ]}
    />
  </section>
);

function Remove({ autoSubscription }: { autoSubscription: AutoSubscription }) {
  const queries = useQueryClient();
  async function remove(): Promise<string> {
    await deleteAutoSubscription(autoSubscription);
    await queries.invalidateQueries({ queryKey: ['auto-subscriptions'] });
    return 'The auto-subscription was removed.';
  }
  return (
    <DeleteButton label="Remove" title="Remove this auto-subscription?" onDelete={remove}>
      <p>Sources and workflows made from now on are not subscribed. The subscriptions that it made stay.</p>
    </DeleteButton>
  );
}
