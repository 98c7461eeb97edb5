import { getCounts } from '../../api/metric-api.ts';
import type { Source } from '../../api/wire.ts';
import { countsOf, type Layer } from '../../charts/chart-layers.ts';
import { ChartsSection } from '../../charts/charts-section.tsx';
import { CountChart } from '../../charts/count-chart.tsx';
import { sourceMarks } from '../../charts/marks.ts';
import { type ChartTimes, useBarHref, useCharts } from '../../charts/use-charts.ts';
import { Loaded } from '../../components/loaded.tsx';
import { SourceFrame } from './source-frame.tsx';
import type { SourceState } from './use-source.ts';

const ERRORS = '$errors';

async function readMetrics(id: string, { granularity, sinceMs, signal }: ChartTimes) {
  const subject = { source_id: id };
  const times = { granularity, sinceMs, signal };
  const [runs, errors, events] = await Promise.all([
    getCounts('runs', subject, times),
    getCounts('errors', subject, times),
    getCounts('events', subject, times),
  ]);
  return { runs, errors, events };
}

export const SourceMetricsPage = ({ id = '' }: { id?: string }) => (
  <SourceFrame id={id}>{(source, state) => <SourceCharts source={source} state={state} />}</SourceFrame>
);

/** Runs with their errors, and events. A bar leads to its events, or to its errors. */
function SourceCharts({ source, state }: { source: Source; state: SourceState | undefined }) {
  const { query, section } = useCharts(source, (times) => readMetrics(source.id, times));
  const barHref = useBarHref(`/console/sources/${source.id}`);
  const marks = state ? sourceMarks(source, state) : [];
  return (
    <ChartsSection {...section} marks={marks}>
      <Loaded query={query}>
        {({ range: { unit }, bars, metrics }) => {
          const shared = { unit, bars, marks };
          const runs: Layer = { name: 'Runs', colour: 1, values: countsOf(bars, metrics.runs) };
          const errors: Layer = { name: 'Errors', colour: 2, values: countsOf(bars, metrics.errors) };
          const events: Layer = { name: 'Events', colour: 1, values: countsOf(bars, metrics.events) };
          return (
            <div class="grid plots">
              <CountChart
                {...shared}
                name="Runs"
                layers={[runs, errors]}
                whenEmpty="No runs in this time."
                hrefOf={(bar, n) => barHref(bar, (errors.values[n] ?? 0) > 0 ? ERRORS : '')}
              />
              <CountChart
                {...shared}
                name="Events"
                layers={[events]}
                whenEmpty="No events in this time."
                hrefOf={(bar) => barHref(bar)}
              />
            </div>
          );
        }}
      </Loaded>
    </ChartsSection>
  );
}
