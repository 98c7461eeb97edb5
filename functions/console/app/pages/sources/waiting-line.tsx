import type { Source } from '../../api/wire.ts';
import { Time } from '../../components/time.tsx';
import { countText } from '../../locale.ts';

/** The triggers that wait in the backlog of a source; nothing while none waits. */
export function WaitingLine({ source: { waiting, oldest_waiting_ms: oldestMs } }: { source: Source }) {
  if (waiting === 0) return null;
  return (
    <span>
      {countText(waiting)} waiting
      {oldestMs !== null && (
        <>
          , oldest since <Time ms={oldestMs} />
        </>
      )}
    </span>
  );
}
