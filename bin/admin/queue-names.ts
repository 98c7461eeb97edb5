/** The queues that functions consume. Each has dead letters. */
export const QUEUE_NAMES = ['runs', 'deliveries', 'retries', 'timers'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

/** All that has dead letters: the queues, and schedules whose message Scheduler could not send. */
export const LETTER_QUEUES = [...QUEUE_NAMES, 'schedules'] as const;
export type LetterQueue = (typeof LETTER_QUEUES)[number];
