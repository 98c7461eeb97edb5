import type { Run } from '../../api/wire.ts';
import { ErrorText } from '../../components/refusal.tsx';
import { RunTraceView } from '../../events/run-trace-view.tsx';
import { noLogsText } from './run-texts.ts';
import type { LogsOfRun } from './use-run-outcome.ts';

interface RunLogsProps extends LogsOfRun {
  sourceId: string;
  run: Run;
}

/** The logs and errors of a run, or why there are none. */
export function RunLogs({ sourceId, run, trace, isRead, error }: RunLogsProps) {
  const text = noLogsText(run, { isRead });
  return (
    <section class="stack runs" aria-label="Logs and errors">
      <h2>Logs and errors</h2>
      {error != null && <ErrorText error={error} />}
      {trace ? <RunTraceView sourceId={sourceId} trace={trace} /> : text !== undefined && <p class="hint">{text}</p>}
    </section>
  );
}
