/**
 * The table's schema as data, for the stack. It has no index: every access pattern has its own key. See
 * docs/data-model.md.
 */
export const tableSchema = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Deliveries, idempotency keys and usage counters expire; events are trimmed instead. */
  timeToLive: 'expiresAt',
} as const;
