import { timerText } from '../../../../../shared/domain/component/timer-text.ts';
import type { Source } from '../../api/wire.ts';
import { Time } from '../../components/time.tsx';

/** The trigger of a source: its timer with the next run, its endpoint, or the events that it listens to. */
export function TriggerLine({
  source: { timer, endpoint_url: endpoint },
}: {
  source: Pick<Source, 'timer' | 'endpoint_url'>;
}) {
  if (!timer) return <span>{endpoint === null ? 'listener' : 'HTTP'}</span>;
  return (
    <span>
      {timerText(timer)}
      {timer.next_run_ms !== null && (
        <>
          {' · next '}
          <Time ms={timer.next_run_ms} />
        </>
      )}
      {endpoint !== null && ' · HTTP'}
    </span>
  );
}
