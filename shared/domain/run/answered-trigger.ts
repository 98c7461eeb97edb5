/** Triggers whose id a caller got: those of `POST …/run` and of a workflow's ingest. */
const ANSWERED = /^(?:api|emits|errors)-/;

/** The id of the trigger, if its caller knows it. */
export const answeredTriggerId = (triggerId: string): string | undefined =>
  ANSWERED.test(triggerId) ? triggerId : undefined;

/** Prefix of the ids of triggers that `POST …/run` made. */
export const REQUESTED_PREFIX = 'api-';

export const isRequestedRun = (triggerId: string): boolean => triggerId.startsWith(REQUESTED_PREFIX);
