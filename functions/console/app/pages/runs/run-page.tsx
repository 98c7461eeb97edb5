import { useQuery } from '@tanstack/preact-query';
import { getRun } from '../../api/source-api.ts';
import type { Run } from '../../api/wire.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import { PauseButton } from '../../components/buttons/pause-button.tsx';
import { IdLine } from '../../components/id-line.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { growingInterval } from '../../hooks/growing-interval.ts';
import { hrefOf, useDirectory } from '../../hooks/use-directory.ts';
import { useLive } from '../../hooks/use-live.ts';
import { RunEvents } from './run-events.tsx';
import { RunLogs } from './run-logs.tsx';
import { RunSteps } from './run-steps.tsx';
import { useRunOutcome } from './use-run-outcome.ts';

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

/** A run is short: its states are looked at more often than lists, until it turns out to be long. */
const RUN_POLL = { firstMs: 400, longestMs: 2_000 };

/** One run as it happens: queued, running, emitted, delivered, with its logs. */
export function RunPage({ id: sourceId = '', triggerId = '' }: RunPageProps) {
  const live = useLive();
  const query = useQuery({
    queryKey: ['run', sourceId, triggerId],
    queryFn: ({ signal }) => getRun(sourceId, triggerId, signal),
    refetchInterval: ({ state }) =>
      live.isPaused || state.data?.data.ended_at_ms != null ? false : growingInterval(state, RUN_POLL),
  });
  const run = query.data?.data;
  return (
    <Page
      title="Run"
      section="Sources"
      between={[hrefOf(sourceId), useDirectory().data?.entryOf(sourceId).name ?? sourceId]}
      mark={run && <Badge tone={TONES[run.state]}>{run.state}</Badge>}
      about={<IdLine name="run id">{triggerId}</IdLine>}
      actions={run?.ended_at_ms === null && <PauseButton live={live} />}
    >
      <Loaded query={query}>
        {({ data }) => <Content key={data.id} sourceId={sourceId} run={data} isPaused={live.isPaused} />}
      </Loaded>
    </Page>
  );
}

function Content({ sourceId, run, isPaused }: { sourceId: string; run: Run; isPaused: boolean }) {
  const { events, logs } = useRunOutcome(sourceId, { run, isPaused });
  return (
    <>
      <RunSteps run={run} events={events.events} />
      <div class="events-and-runs">
        <RunEvents sourceId={sourceId} run={run} {...events} />
        <RunLogs sourceId={sourceId} run={run} {...logs} />
      </div>
    </>
  );
}
