import { useQueryClient } from '@tanstack/preact-query';
import { deleteTriggers } from '../../api/source-api.ts';
import type { Source } from '../../api/wire.ts';
import { DeleteButton } from '../../components/buttons/delete-button.tsx';
import { Time } from '../../components/time.tsx';
import { countText } from '../../locale.ts';

/** The triggers that wait in the backlog of a source, and a button that drops them; nothing while none waits. */
export function WaitingLine({ source }: { source: Source }) {
  const { id, waiting, oldest_waiting_ms: oldestMs } = source;
  const queries = useQueryClient();
  if (waiting === 0) return null;
  async function drop(): Promise<string> {
    await deleteTriggers(id);
    void queries.invalidateQueries({ queryKey: ['source', id] });
    return 'The waiting triggers are being dropped.';
  }
  return (
    <>
      <span>
        {countText(waiting)} waiting
        {oldestMs !== null && (
          <>
            , oldest since <Time ms={oldestMs} />
          </>
        )}
      </span>
      <DeleteButton label="Drop waiting" title="Drop the waiting triggers?" onDelete={drop}>
        <p>
          The triggers that wait now do not run. An event of <code>$errors</code> says how many. Later ones run, and
          updates stay.
        </p>
      </DeleteButton>
    </>
  );
}
