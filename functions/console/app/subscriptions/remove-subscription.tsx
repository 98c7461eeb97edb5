import { useQueryClient } from '@tanstack/preact-query';
import { deleteSubscription } from '../api/subscription-api.ts';
import type { Subscription } from '../api/wire.ts';
import { DeleteButton } from '../components/buttons/delete-button.tsx';
import type { Directory } from '../hooks/use-directory.ts';

interface RemoveSubscriptionProps {
  subscription: Subscription;
  directory: Directory;
}

/** Ends a subscription. */
export function RemoveSubscription({ subscription, directory }: RemoveSubscriptionProps) {
  const queries = useQueryClient();
  const { emitter_id: emitterId, listener_id: listenerId, event_name: stream } = subscription;
  async function remove(): Promise<string> {
    await deleteSubscription(subscription);
    await queries.invalidateQueries({ queryKey: ['subscriptions'] });
    return 'The subscription was removed.';
  }
  return (
    <DeleteButton label="Remove" title="Remove this subscription?" onDelete={remove}>
      <p>
        <strong>{directory.entryOf(listenerId).name}</strong> gets no more events of the stream{' '}
        <code>{stream || 'default'}</code> of <strong>{directory.entryOf(emitterId).name}</strong>. Events in between
        are not sent later.
      </p>
    </DeleteButton>
  );
}
