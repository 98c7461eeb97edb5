/**
 * A recording in the past would be older than its messages may become, and component processes use the time of the
 * machine.
 */
export const LATER_MS = 10 * 365 * 86_400_000;
