/**
 * Time limits that programs keep and the stack deploys: `infra/sizing.ts` derives the time limits of functions and the
 * visibility time-outs of queues from them.
 */

/** Longest time limit that a stage may set for one run. */
export const LONGEST_RUN_MS = 240_000;

/**
 * A batch of triggers starts no run that could end later than this after its start. A batch can always start one run of
 * any length.
 */
export const BATCH_WORK_MS = LONGEST_RUN_MS + 15_000;

/** Every request is answered within this time: API Gateway ends requests after 30 s. */
export const RESPONSE_WITHIN_MS = 27_500;

/** Time limit for loading a built component. */
export const LONGEST_LOAD_MS = 5_000;

/** Time limit of the builder's function: no build takes longer. */
export const LONGEST_BUILD_MS = 120_000;

/** Cache time of whether a user has an ordered webhook. A request that makes the first one waits until it is over. */
export const ORDERED_CACHE_MS = 1_000;

/** First attempts that would start later than this after their batch are made by `retry-delivery` instead. */
export const FIRST_ATTEMPTS_MS = 40_000;
