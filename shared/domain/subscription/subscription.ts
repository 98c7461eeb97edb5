import * as z from 'zod';
import { EventFilter } from '../event/event-pattern/event-filter.ts';
import { AutoSubscriptionId, EmitterId, ListenerId, SubscriptionId, UserId } from '../id.ts';

/** All sources (`dc_*`) or all workflows (`p_*`) of a user, including future ones. */
export const EmitterGlob = z.enum(['dc_*', 'p_*']);
export type EmitterGlob = z.infer<typeof EmitterGlob>;

export const isGlob = (emitter: EmitterGlob | EmitterId): emitter is EmitterGlob => emitter.endsWith('*');

/** The fields that a request may set, besides emitter, listener and stream. A repeated request replaces them. */
export const SubscriptionSettings = z.object({
  /** Only events that pass reach the listener. Absent: all. */
  filter: EventFilter.optional(),
});
export type SubscriptionSettings = z.infer<typeof SubscriptionSettings>;

/** Listener × stream, applied to every emitter created later. */
export const AutoSubscription = z.object({
  id: AutoSubscriptionId,
  ownerId: UserId,
  listenerId: ListenerId,
  /** The stream name as sent; normalised by `streamOf(eventName)`. */
  eventName: z.string(),
  /** The settings of the subscriptions that it makes. */
  ...SubscriptionSettings.shape,
  createdAt: z.number(),
});
export type AutoSubscription = z.infer<typeof AutoSubscription>;

/** Unique by emitter, listener and stream. */
export const Subscription = AutoSubscription.extend({
  id: SubscriptionId,
  emitter: z.union([EmitterGlob, EmitterId]),
});
export type Subscription = z.infer<typeof Subscription>;
