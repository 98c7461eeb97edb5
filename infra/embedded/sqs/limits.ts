/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-queues.html */
export const MAX_IN_FLIGHT = 120_000;

/** Seconds. */
export const VISIBILITY_TIMEOUT = {
  from: 0,
  to: 43_200,
  reason: 'Must be between 0 and 43200, if provided.',
};
