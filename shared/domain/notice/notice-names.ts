/** The name of their emitter for people. */
export const NOTICES_NAME = 'notices';

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

/** The titles of their messages for people. */
export const NOTICE_TITLES: Readonly<Record<(typeof NOTICE_NAMES)[number], string>> = {
  'webhook.failing': 'Webhook fails',
  'webhook.disabled': 'Webhook switched off',
  'webhook.recovered': 'Webhook works again',
  'source.failed': 'Source failed',
  'source.errors': 'Runs of a source fail',
  'source.behind': 'Source is behind',
  'account.needs_reconnect': 'Account needs a new sign-in',
  'quota.reached': 'Daily quota used up',
  'deliveries.held': 'Deliveries are held',
};

/** The event of a test in the form of a notice, about the webhook that gets it. */
export const testNotice = (webhookId: string, now: number) => ({
  id: webhookId,
  name: 'notices',
  what: 'This is a test. Notices will arrive here.',
  since: new Date(now).toISOString(),
});
