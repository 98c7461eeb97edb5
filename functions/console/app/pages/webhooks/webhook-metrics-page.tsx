import { getCounts, getLatencies } from '../../api/metric-api.ts';
import type { Webhook } from '../../api/wire.ts';
import { latencyLayers, stackedHeights, statusLayers } from '../../charts/chart-layers.ts';
import { barOfBucket, unitOf } from '../../charts/chart-range.ts';
import { ChartsSection } from '../../charts/charts-section.tsx';
import { CountChart } from '../../charts/count-chart.tsx';
import { LatencyChart } from '../../charts/latency-chart.tsx';
import { webhookMarks } from '../../charts/marks.ts';
import { type ChartTimes, useBarHref, useCharts } from '../../charts/use-charts.ts';
import { Loaded } from '../../components/loaded.tsx';
import { WebhookFrame } from './webhook-frame.tsx';

async function readMetrics(id: string, { latencies: granularity, ...times }: ChartTimes) {
  const subject = { webhook_id: id };
  const [attempts, latencies] = await Promise.all([
    getCounts('attempts', subject, times),
    getLatencies(subject, { ...times, granularity }),
  ]);
  return { attempts, latencies };
}

export const WebhookMetricsPage = ({ id = '' }: { id?: string }) => (
  <WebhookFrame id={id}>{(webhook) => <WebhookCharts webhook={webhook} />}</WebhookFrame>
);

/** Attempts by the class of their status, and latencies. A bar leads to its deliveries. */
function WebhookCharts({ webhook }: { webhook: Webhook }) {
  const { query, section } = useCharts(webhook, (times) => readMetrics(webhook.id, times));
  const barHref = useBarHref(`/console/webhooks/${webhook.id}`);
  const marks = webhookMarks(webhook);
  return (
    <ChartsSection {...section} marks={marks}>
      <Loaded query={query}>
        {({ range, bars, metrics: { attempts, latencies } }) => {
          const bucketUnit = unitOf(range.latencies);
          const shared = { marks, hrefOf: (bar: (typeof bars)[number]) => barHref(bar) };
          const layers = statusLayers(bars, attempts);
          return (
            <div class="grid plots">
              <CountChart
                {...shared}
                name="Attempts"
                unit={range.unit}
                bars={bars}
                layers={layers}
                heights={stackedHeights(layers)}
                whenEmpty="No attempts in this time."
              />
              <LatencyChart
                {...shared}
                name="Latency"
                unit={bucketUnit}
                bars={latencies.map(({ at_ms: ms }) => barOfBucket(bucketUnit, ms))}
                layers={latencyLayers(latencies)}
                whenEmpty="Nothing was delivered in this time."
              />
            </div>
          );
        }}
      </Loaded>
    </ChartsSection>
  );
}
