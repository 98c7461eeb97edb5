/** The size of a sparkline, in pixels. */
export const SPARK_WIDTH = 72;
export const SPARK_HEIGHT = 24;

/** A bar of any count is at least this high. */
const LOWEST = 2;

/**
 * The path of the bars of some counts, as lines to the bottom. Equal counts have equal heights in all paths with the
 * same `highest`.
 */
export function sparkPath(counts: readonly number[], highest: number): string {
  const width = SPARK_WIDTH / Math.max(1, counts.length);
  return counts
    .map((count, n) => {
      if (count <= 0) return '';
      const height = Math.max(LOWEST, Math.round((count / highest) * SPARK_HEIGHT));
      return `M${(n + 0.5) * width} ${SPARK_HEIGHT}v-${height}`;
    })
    .join('');
}
