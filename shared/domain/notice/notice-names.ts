/** The names of notices, which are the streams of their emitter. */
export const NOTICE_NAMES = [
  'webhook.failing',
  'webhook.disabled',
  'webhook.recovered',
  'source.failed',
  'source.errors',
  'source.behind',
  'account.needs_reconnect',
  'quota.reached',
  'deliveries.held',
] as const;
