/** The table as data: the stack builds it, docs/data-model.md explains it. No index: every question has a key of its own. */
export const tableSchema = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Delivery rows, idempotency keys and usage counters go by themselves; events never do (they are trimmed). */
  timeToLive: 'expiresAt',
} as const;
