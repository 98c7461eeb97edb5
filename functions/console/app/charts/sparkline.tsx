import type { CountRow } from '../api/wire.ts';
import { countText } from '../locale.ts';
import { failuresOf, largest, sum } from './chart-layers.ts';
import { SPARK_HEIGHT, SPARK_WIDTH, sparkPath } from './spark-path.ts';

interface SparklineProps {
  /** Undefined while they are read. */
  rows: readonly CountRow[] | undefined;
  measure: 'events' | 'attempts';
}

/** The counts of the last 24 hours, one bar per hour. The tooltip says the same in words. */
export function Sparkline({ rows, measure }: SparklineProps) {
  if (!rows) return <span class="sparkline" />;
  const counts = rows.map(({ value }) => value);
  const failures = rows.map(measure === 'attempts' ? failuresOf : () => 0);
  const [total, failed, highest] = [sum(counts), sum(failures), largest(counts)];
  if (total === 0) return <span class="muted">–</span>;
  const text = `${countText(total)} ${total === 1 ? measure.slice(0, -1) : measure}${failed > 0 ? `, ${countText(failed)} failed` : ''}`;
  return (
    <svg
      class="sparkline"
      role="img"
      viewBox={`0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`}
      width={SPARK_WIDTH}
      height={SPARK_HEIGHT}
    >
      <title>{text} in 24 hours</title>
      <path d={sparkPath(counts, highest)} />
      <path class="bad" d={sparkPath(failures, highest)} />
    </svg>
  );
}
