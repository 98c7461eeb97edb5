import { useQueryClient } from '@tanstack/preact-query';
import { deleteEvents, type StreamRef } from '../../api/event-api.ts';
import { DeleteButton } from '../../components/buttons/delete-button.tsx';

/** The deletion is asynchronous; the list shows it a moment later. */
const DELETED_MS = 1_000;

/** Deletes the events of the shown stream. */
export function ClearStream({ streamRef }: { streamRef: StreamRef }) {
  const queries = useQueryClient();
  async function clear(): Promise<string> {
    await deleteEvents(streamRef);
    setTimeout(() => void queries.resetQueries({ queryKey: ['events'] }), DELETED_MS);
    return 'The events are being deleted.';
  }
  return (
    <DeleteButton label="Clear stream" title="Clear this stream?" onDelete={clear}>
      <p>
        All events of the stream <code>{streamRef.stream || 'default'}</code> are deleted. Deliveries go on.
      </p>
    </DeleteButton>
  );
}
