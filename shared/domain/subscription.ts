import * as z from 'zod';
import { AutoSubscriptionId, EmitterId, ListenerId, SubscriptionId, UserId } from './id.ts';

/** All workflows, or all sources, of one user: present and future ones. */
export const EmitterGlob = z.enum(['dc_*', 'p_*']);
export type EmitterGlob = z.infer<typeof EmitterGlob>;

export const isGlob = (emitter: EmitterGlob | EmitterId): emitter is EmitterGlob => emitter.endsWith('*');

/** Emitter × listener × stream; at most one of each. */
export const Subscription = z.object({
  id: SubscriptionId,
  ownerId: UserId,
  emitter: z.union([EmitterGlob, EmitterId]),
  listenerId: ListenerId,
  /** The stream as the first creation spelled it; its identity is `streamOf(eventName)`. */
  eventName: z.string(),
  createdAt: z.number(),
});
export type Subscription = z.infer<typeof Subscription>;

/** Listener × stream, for emitters yet to come. */
export const AutoSubscription = z.object({
  id: AutoSubscriptionId,
  ownerId: UserId,
  listenerId: ListenerId,
  eventName: z.string(),
  createdAt: z.number(),
});
export type AutoSubscription = z.infer<typeof AutoSubscription>;
