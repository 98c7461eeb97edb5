import type { ReconcileServices } from './reconcile-context.ts';

/** The same services, which change nothing. */
export const withoutEffect = (services: ReconcileServices): ReconcileServices => {
  const nothing = () => Promise.resolve();
  return {
    ...services,
    schedules: { put: nothing, create: nothing, delete: nothing },
    sendTriggers: nothing,
    sendDrain: nothing,
    sendRetry: nothing,
    sendJobs: nothing,
  };
};
