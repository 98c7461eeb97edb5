import { READABLE_EVENTS } from '../../api/readable-events.ts';
import type { Run } from '../../api/wire.ts';
import { SHOWN_RUNS } from '../../events/trace-of-run.ts';
import { MAX_CANDIDATES } from './events-of-run.ts';

type Ended = Pick<Run, 'ended_at_ms'>;

/** A hint below the listed events of a run; undefined if there is nothing to say. */
export function eventsHint(
  { ended_at_ms: end, emitted }: Ended & Pick<Run, 'emitted'>,
  { listed, isRead }: { listed: number; isRead: boolean },
): string | undefined {
  if (end === null) return 'Events appear when the run has ended.';
  if (emitted === 0) return 'The run emitted nothing.';
  const missing = emitted - listed;
  if (!isRead || missing <= 0) return undefined;
  return `${missing === 1 ? '1 event is' : `${missing} events are`} not listed here: beyond ${MAX_CANDIDATES} events, on other streams, no longer among the last ${READABLE_EVENTS}, or of a run without a log.`;
}

/** The text in the position of the missing logs of a run; undefined while they are unknown. */
export function noLogsText(
  { ended_at_ms: end, error }: Ended & Pick<Run, 'error'>,
  { isRead }: { isRead: boolean },
): string | undefined {
  if (end === null) return 'They appear when the run has ended.';
  if (error) return error.message;
  return isRead ? `No logs of it are among the last ${SHOWN_RUNS}.` : undefined;
}
