import * as z from 'zod';
import { DeliveryId, EmitterId, ListenerId, SourceId, UserId } from './id.ts';
import { EventId } from './event-id.ts';
import { StreamName } from './stream.ts';

/**
 * A JSON document on its way: its text (so that key order, unicode and keys such as `__proto__` arrive as sent), or the
 * key of the bucket object that holds the text when it is too large for a message.
 */
export const Payload = z.union([z.object({ json: z.string() }), z.object({ key: z.string() })]);
export type Payload = z.infer<typeof Payload>;

/** A serialised message above this goes through the bucket: ten of them must fit one request and one invocation. */
export const LARGEST_INLINE_BYTES = 200_000;

/** What made a source run, as `$errors` events name it (decisions, "Events"). */
export const SourceType = z.enum(['http', 'timer', 'source', 'workflow', 'hook', 'api']);
export type SourceType = z.infer<typeof SourceType>;

/** Chains of sources are cut after this many hops. */
export const MAX_HOPS = 16;

const common = {
  /** Names the trigger for ever; also the deduplication id on the queue. At most 128 characters of [A-Za-z0-9_-]. */
  id: z.string().min(1).max(128),
  emitterId: EmitterId,
  ownerId: UserId,
  /** When it was accepted, epoch ms. */
  at: z.number(),
};

/** A source runs once for this. */
export const RunTrigger = z.object({
  kind: z.literal('run'),
  ...common,
  cause: SourceType,
  payload: Payload,
  hops: z.number().int(),
  /** Timer ticks of an older generation than the source's are dropped. */
  generation: z.number().int().optional(),
});
export type RunTrigger = z.infer<typeof RunTrigger>;

/**
 * An emit that needs no run: a workflow's emit or error, or a component's emit with `delivery_ts` that has become due.
 */
export const EmitTrigger = z.object({
  kind: z.literal('emit'),
  ...common,
  stream: StreamName,
  payload: Payload,
  hops: z.number().int(),
  emit: z.object({ id: z.string(), summary: z.string(), ts: z.number() }).partial().optional(),
  /** Its event on the stream `$in`, where it waited: gone means cancelled. */
  held: EventId.optional(),
});
export type EmitTrigger = z.infer<typeof EmitTrigger>;

/** Carries out the pending revision of a source: hooks, swap, timers. */
export const LifecycleTrigger = z.object({
  kind: z.literal('lifecycle'),
  ...common,
  revision: z.number().int(),
});
export type LifecycleTrigger = z.infer<typeof LifecycleTrigger>;

/** Deletes what was stored when the request was accepted: per stream, positions from..to (both included). */
export const DeleteEventsTrigger = z.object({
  kind: z.literal('delete-events'),
  ...common,
  ranges: z.array(z.object({ stream: StreamName, from: EventId.optional(), to: EventId })),
});
export type DeleteEventsTrigger = z.infer<typeof DeleteEventsTrigger>;

/** The last message of a deleted emitter's queue. */
export const PurgeTrigger = z.object({ kind: z.literal('purge'), ...common });
export type PurgeTrigger = z.infer<typeof PurgeTrigger>;

/** A message of `runs.fifo`; its group is the emitter id. */
export const Trigger = z.discriminatedUnion('kind', [
  RunTrigger,
  EmitTrigger,
  LifecycleTrigger,
  DeleteEventsTrigger,
  PurgeTrigger,
]);
export type Trigger = z.infer<typeof Trigger>;

/**
 * What EventBridge Scheduler puts on `runs.fifo` for a source's timer; `scheduledAt` is the ISO text that the service fills in.
 * Turned into a RunTrigger with id `tick-<source>-<generation>-<scheduledAt>` where it is received.
 */
export const ScheduledTick = z.object({
  kind: z.literal('tick'),
  sourceId: SourceId,
  ownerId: UserId,
  generation: z.number().int(),
  scheduledAt: z.string(),
});
export type ScheduledTick = z.infer<typeof ScheduledTick>;

/** A message of `deliveries`: one stored event, to be matched and fanned out. */
export const DeliveryMessage = z.object({
  emitterId: EmitterId,
  ownerId: UserId,
  stream: StreamName,
  eventId: EventId,
  /** Hash of (trigger id, the emit's own id or its content, ordinal among equals): the same again whenever a run is repeated. */
  emitId: z.string(),
  /** The bare event, as it was emitted. */
  payload: Payload,
  hops: z.number().int(),
  /** A continuation: only listeners that sort after this one. */
  after: z.string().optional(),
});
export type DeliveryMessage = z.infer<typeof DeliveryMessage>;

/** A message of `retries`: the next attempt of one delivery. */
export const RetryMessage = z.object({
  deliveryId: DeliveryId,
  listenerId: ListenerId,
  /** The attempt to make, from 1. */
  attempt: z.number().int(),
});
export type RetryMessage = z.infer<typeof RetryMessage>;

/** Messages of `timers`, for intervals that are no whole minutes. */
export const TimerMessage = z.discriminatedUnion('kind', [
  /** Once a minute from the schedule: make the ticks of the next minute. */
  z.object({
    kind: z.literal('minute'),
    sourceId: SourceId,
    ownerId: UserId,
    generation: z.number().int(),
    intervalSeconds: z.number().int(),
    /** When the timer was activated, epoch ms: ticks are at anchor + n × interval. */
    anchor: z.number(),
    scheduledAt: z.string(),
  }),
  /** One tick, delayed until it is due. */
  z.object({
    kind: z.literal('due'),
    sourceId: SourceId,
    ownerId: UserId,
    generation: z.number().int(),
    /** Epoch ms. */
    dueAt: z.number(),
  }),
]);
export type TimerMessage = z.infer<typeof TimerMessage>;
