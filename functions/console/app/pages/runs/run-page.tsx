import { useQuery } from '@tanstack/preact-query';
import { getRun } from '../../api/source-api.ts';
import type { Run } from '../../api/wire.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import { PauseButton } from '../../components/buttons/pause-button.tsx';
import { EntryName } from '../../components/entry-name.tsx';
import { IdLine } from '../../components/id-line.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { RunTraceView } from '../../events/run-trace-view.tsx';
import { useRunTraces } from '../../events/use-run-traces.ts';
import { type Live, useLive } from '../../hooks/use-live.ts';
import { RunEvents } from './run-events.tsx';
import { RunSteps } from './run-steps.tsx';
import { useRunEvents } from './use-run-events.ts';

interface RunPageProps {
  /** The source's id. */
  id?: string;
  triggerId?: string;
}

const TONES: Readonly<Record<Run['state'], Tone>> = {
  waiting: 'plain',
  running: 'warn',
  done: 'ok',
  failed: 'bad',
  skipped: 'warn',
};

/** A run is short: its states are looked at more often than lists. */
const RUN_POLL_MS = 400;

/** One run as it happens: queued, running, emitted, delivered, with its logs. */
export function RunPage({ id: sourceId = '', triggerId = '' }: RunPageProps) {
  const live = useLive();
  const query = useQuery({
    queryKey: ['run', sourceId, triggerId],
    queryFn: () => getRun(sourceId, triggerId),
    refetchInterval: ({ state: { data } }) =>
      live.isPaused || (data !== undefined && data.data.ended_at_ms !== null) ? false : RUN_POLL_MS,
  });
  const run = query.data?.data;
  return (
    <Page
      title="Run"
      mark={run && <Badge tone={TONES[run.state]}>{run.state}</Badge>}
      about={
        <>
          <EntryName id={sourceId} />
          <IdLine name="run id">{triggerId}</IdLine>
        </>
      }
      actions={<PauseButton live={live} />}
    >
      <Loaded query={query}>{({ data }) => <Content sourceId={sourceId} run={data} live={live} />}</Loaded>
    </Page>
  );
}

function Content({ sourceId, run, live }: { sourceId: string; run: Run; live: Live }) {
  const traces = useRunTraces(sourceId, live.interval);
  const events = useRunEvents(sourceId, { run, traces, interval: live.interval });
  const trace = traces.find(({ runId }) => runId === run.id);
  return (
    <>
      <RunSteps run={run} events={events} />
      <div class="events-and-runs">
        <RunEvents sourceId={sourceId} run={run} events={events} />
        <section class="stack runs" aria-label="Logs and errors">
          <h2>Logs and errors</h2>
          {trace ? (
            <RunTraceView sourceId={sourceId} trace={trace} />
          ) : (
            <p class="hint">
              {run.ended_at_ms === null
                ? 'They appear when the run has ended.'
                : (run.error?.message ?? 'The run wrote nothing.')}
            </p>
          )}
        </section>
      </div>
    </>
  );
}
