/** The address of the page of one run. */
export const runHref = (sourceId: string, triggerId: string): string =>
  `/console/sources/${sourceId}/runs/${encodeURIComponent(triggerId)}`;

/** Hooks run code too, but no trigger of the source made them. The ids of their runs end in their names. */
const IS_HOOK = /-(?:deploy|activate|deactivate)$/;

/** Whether there is a page of the run. */
export const isSourceRun = (emitterId: string, runId: string | undefined): runId is string =>
  runId !== undefined && emitterId.startsWith('dc_') && !IS_HOOK.test(runId);
