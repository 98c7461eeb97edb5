/** Events that a stream keeps readable. */
export const READABLE_EVENTS = 100;
