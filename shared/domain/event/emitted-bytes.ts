/**
 * Limit for all events of one run. `run-source` holds the events of a batch of ten runs until they are stored, which
 * must fit into its memory; a response stream on AWS holds 200 MB. A larger batch ends early after as many bytes
 * (`serve-request.ts`).
 */
export const LARGEST_EMITTED_BYTES = 16 * 1024 * 1024;
