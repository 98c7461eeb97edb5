import { useQueryClient } from '@tanstack/preact-query';
import { NOTICE_NAMES, NOTICE_TITLES, testNotice } from '../../../../../shared/domain/notice/notice-names.ts';
import { deleteSubscription } from '../../api/subscription-api.ts';
import { postTest } from '../../api/webhook-api.ts';
import type { Subscription } from '../../api/wire.ts';
import { ActionButton } from '../../components/buttons/action-button.tsx';
import { DeleteButton } from '../../components/buttons/delete-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Table } from '../../components/table.tsx';
import { sentenceOfTest } from '../../events/attempt-text.tsx';
import type { Directory, Entry } from '../../hooks/use-directory.ts';

interface NoticeReceiversProps {
  /** All subscriptions to the notices. */
  subscriptions: readonly Subscription[];
  directory: Directory;
}

interface Receiver {
  id: string;
  subscriptions: readonly Subscription[];
}

/** The webhooks, sources and workflows that get notices. */
export function NoticeReceivers({ subscriptions, directory }: NoticeReceiversProps) {
  const ids = [...new Set(subscriptions.map(({ listener_id: id }) => id))];
  if (ids.length === 0)
    return (
      <EmptyState title="No notices are sent yet.">
        <p>Add a webhook or a channel of Slack, Discord or Teams, to be told when something fails.</p>
      </EmptyState>
    );
  return (
    <Table<Receiver>
      name="Notices"
      rows={ids.map((id) => ({ id, subscriptions: subscriptions.filter(({ listener_id: own }) => own === id) }))}
      idOf={({ id }) => id}
      columns={[
        { name: 'Receiver', cell: ({ id }) => <ReceiverLink {...directory.entryOf(id)} /> },
        { name: 'Kinds', cell: ({ subscriptions: own }) => kindsText(own) },
        {
          name: 'Actions',
          cell: (receiver) => <ReceiverActions receiver={receiver} name={directory.entryOf(receiver.id).name} />,
        },
      ]}
    />
  );
}

const ReceiverLink = ({ name, href }: Entry) => (
  <a class="entry" href={href} title={name}>
    {name}
  </a>
);

function kindsText(subscriptions: readonly Subscription[]): string {
  const names = new Set(subscriptions.map(({ event_name: name }) => name));
  const titlesOf = (isFound: boolean) =>
    NOTICE_NAMES.filter((name) => names.has(name) === isFound).map((name) => NOTICE_TITLES[name]);
  const [found, missing] = [titlesOf(true), titlesOf(false)];
  if (missing.length === 0) return 'All kinds';
  return found.length > missing.length ? `All kinds, but not: ${missing.join(', ')}` : found.join(', ');
}

function ReceiverActions({ receiver: { id, subscriptions }, name }: { receiver: Receiver; name: string }) {
  const queries = useQueryClient();
  async function test(): Promise<string> {
    const { data } = await postTest(id, JSON.stringify(testNotice(id, Date.now())));
    return sentenceOfTest(data);
  }
  async function remove(): Promise<string> {
    try {
      for (const subscription of subscriptions) await deleteSubscription(subscription);
    } finally {
      await queries.invalidateQueries({ queryKey: ['subscriptions'] });
    }
    return `${name} gets no more notices.`;
  }
  return (
    <span class="receiver-actions">
      {id.startsWith('wh_') && <ActionButton act={test}>Send test</ActionButton>}
      <DeleteButton label="Remove" title={`Remove the notices of ${name}?`} onDelete={remove}>
        <p>It gets no more notices. It stays, with its other subscriptions.</p>
      </DeleteButton>
    </span>
  );
}
