/**
 * The settings of events that are counted, with their budgets (docs/costs.md); in batches of one each webhook adds a
 * write of the log. Each counts whole cycles of trimming: 60 events in batches of ten, 51 one by one. Events that come
 * more than a second apart, as on a busy machine, have half a read unit more each: a process remembers for a second
 * whether a user has ordered webhooks.
 */
export const settings = [
  { webhooks: 1, events: 300, batches: 'full', body: 'order', writes: 0.5, reads: 0.6, sqs: 1.6, price: 3 },
  { webhooks: 10, events: 120, batches: 'full', body: 'order', writes: 0.5, reads: 1.5, sqs: 1.6, price: 4 },
  { webhooks: 1, events: 102, batches: 'one', body: 'order', writes: 4.2, reads: 4.8, sqs: 6.1, price: 9 },
  { webhooks: 10, events: 51, batches: 'one', body: 'order', writes: 4.3, reads: 13.8, sqs: 6.1, price: 16 },
  { webhooks: 1, events: 180, batches: 'full', body: 'invoice', writes: 0.7, reads: 0.6, sqs: 1.6, price: 3 },
  { webhooks: 1, events: 180, batches: 'full', body: 'random', writes: 2.2, reads: 0.8, sqs: 1.6, price: 4 },
  {
    webhooks: 1,
    events: 102,
    batches: 'one',
    body: 'document',
    writes: 202,
    reads: 5.1,
    sqs: 10.1,
    price: 135,
  },
  { webhooks: 1, events: 51, batches: 'one', body: 'file', writes: 4.3, reads: 5.1, sqs: 6.1, price: 26 },
] as const;

/** A run of 3 s every minute, for a month; and a month of a stack without sources. US$. */
export const POLLING_BUDGET = 2.7;
export const IDLE_BUDGET = 4.5;

/** Per trigger that waits in a backlog, in addition to its run. */
export const WAITING_BUDGET = { writeUnits: 2.3, readUnits: 0.3 };

/**
 * An account of kind `oauth`: what a run with a valid token adds to a run without an account, and what a renewal adds
 * to that.
 */
export const ACCOUNT_BUDGETS = {
  run: { writeUnits: 0, readUnits: 1, keyRequests: 0, invocations: 0, tokenRequests: 0 },
  renewal: { writeUnits: 5, readUnits: 3, keyRequests: 5, invocations: 1, tokenRequests: 1 },
  check: { writeUnits: 0, readUnits: 1.5, keyRequests: 0, invocations: 0.1, tokenRequests: 0 },
} as const;
