/** The queues with dead letters. */
export const QUEUE_NAMES = ['runs', 'deliveries', 'retries', 'timers'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];
