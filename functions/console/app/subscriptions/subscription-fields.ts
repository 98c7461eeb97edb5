import { createAutoSubscription } from '../api/auto-subscription-api.ts';
import { createSubscription } from '../api/subscription-api.ts';
import { filterProblem } from '../events/filter-problem.ts';

/** The choice of an auto-subscription in the place of an emitter. */
const EVERY_NEW = 'every-new';

/** Choices of many emitters. */
export const EVERYTHING = [
  { id: 'dc_*', name: 'All sources, present and future' },
  { id: 'p_*', name: 'All workflows, present and future' },
  { id: EVERY_NEW, name: 'Every source and workflow made from now on' },
];

/** Streams that a box offers. */
export const STREAMS = ['default', '$errors', '$logs'];

/** A subscription as a person types it. */
export interface SubscriptionFields {
  /** The id of an emitter, or one of {@link EVERYTHING}. */
  emitter: string;
  /** Empty for the default stream. */
  stream: string;
  /** JSON text, empty for every event. */
  filter: string;
}

export const NO_SUBSCRIPTION: SubscriptionFields = { emitter: '', stream: '', filter: '' };

/** Makes a listener receive the events. Returns the key of the list that has changed. */
export async function addSubscription(
  { emitter, stream, filter }: SubscriptionFields,
  listenerId: string,
): Promise<'subscriptions' | 'auto-subscriptions'> {
  const problem = filterProblem(filter);
  if (problem !== undefined) throw new Error(problem);
  const body = {
    listener_id: listenerId,
    event_name: stream.trim(),
    filter: filter.trim() === '' ? undefined : JSON.parse(filter),
  };
  if (emitter === EVERY_NEW) {
    await createAutoSubscription({ ...body, event_name: body.event_name || 'default' });
    return 'auto-subscriptions';
  }
  await createSubscription({ ...body, emitter_id: emitter });
  return 'subscriptions';
}
