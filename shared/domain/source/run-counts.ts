/** Runs of a source in the last 24 hours. */
export interface FailedRuns {
  failed: number;
  all: number;
}

/** Sources whose counts by the hour fit into one response, which has at most 1,500 rows. */
export const MAX_COUNTED_SOURCES = 60;

/** The counts of a source with a recent error, which is stored before it and its run are counted. */
export function failedRunsOf(errors: number, runs: number): FailedRuns {
  const failed = Math.max(errors, 1);
  return { failed, all: Math.max(runs, failed) };
}
