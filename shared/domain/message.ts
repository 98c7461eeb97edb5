import * as z from 'zod';
import { chainFields } from './chain.ts';
import { DeliveryId, EmitterId, ListenerId, SourceId, UserId } from './id.ts';
import { EventId } from './event-id.ts';
import { StreamName } from './stream.ts';

/**
 * A JSON document in a message: its text (which preserves key order, unicode and keys such as `__proto__`), or the key of a
 * bucket object with the text when it is too large for a message.
 */
export const Payload = z.union([z.object({ json: z.string() }), z.object({ key: z.string() })]);
export type Payload = z.infer<typeof Payload>;

/** Payloads of larger messages go to the bucket: ten messages must fit into one SQS request and one invocation. */
export const LARGEST_INLINE_BYTES = 200_000;

/** Cause of a run, as named in `$errors` events. */
export const SourceType = z.enum(['http', 'timer', 'source', 'workflow', 'hook', 'api']);
export type SourceType = z.infer<typeof SourceType>;

const common = {
  /** Unique and stable; also the deduplication id on the queue. At most 128 characters of [A-Za-z0-9_-]. */
  id: z.string().min(1).max(128),
  emitterId: EmitterId,
  ownerId: UserId,
  /** Time of acceptance, epoch ms. */
  at: z.number(),
};

/** One run of a source. */
export const RunTrigger = z.object({
  kind: z.literal('run'),
  ...common,
  cause: SourceType,
  payload: Payload,
  ...chainFields,
  /** Timer ticks of an older generation than the source's are dropped. */
  generation: z.number().int().optional(),
});
export type RunTrigger = z.infer<typeof RunTrigger>;

/**
 * An emit that needs no run: a workflow's emit or error, or a component's delayed emit that is due.
 */
export const EmitTrigger = z.object({
  kind: z.literal('emit'),
  ...common,
  stream: StreamName,
  payload: Payload,
  ...chainFields,
  emit: z.object({ id: z.string(), summary: z.string(), ts: z.number() }).partial().optional(),
  /** The delayed emit's event on stream `$in`; a missing event means that the emit was cancelled. */
  delayedEventId: EventId.optional(),
});
export type EmitTrigger = z.infer<typeof EmitTrigger>;

/** Executes the pending revision of a source: hooks, timers, swap. */
export const LifecycleTrigger = z.object({
  kind: z.literal('lifecycle'),
  ...common,
  revision: z.number().int(),
});
export type LifecycleTrigger = z.infer<typeof LifecycleTrigger>;

/** Deletes the events that were stored when the request was accepted: per stream from..to, both included. */
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
 * Message of EventBridge Scheduler on `runs.fifo` for a source's timer; the scheduler fills in `scheduledAt` as ISO text.
 * `parseTrigger` turns it into a RunTrigger with id `tick-<source>-<generation>-<scheduledAt>`.
 */
export const ScheduledTick = z.object({
  kind: z.literal('tick'),
  sourceId: SourceId,
  ownerId: UserId,
  generation: z.number().int(),
  scheduledAt: z.string(),
});
export type ScheduledTick = z.infer<typeof ScheduledTick>;

/** A message of `deliveries`: one stored event for its listeners. */
export const DeliveryMessage = z.object({
  emitterId: EmitterId,
  ownerId: UserId,
  stream: StreamName,
  eventId: EventId,
  /** Hash of (trigger id, the emit's own id or its content, ordinal among equals): the same when a run is repeated. */
  emitId: z.string(),
  /** The bare event, as it was emitted. */
  payload: Payload,
  ...chainFields,
  /** Continuation of a fan-out: only listeners that sort after this id. */
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

/** Messages of `timers`, for intervals that are not whole minutes. */
export const TimerMessage = z.discriminatedUnion('kind', [
  /** Sent by the schedule once a minute: make the ticks of the next minute. */
  z.object({
    kind: z.literal('minute'),
    sourceId: SourceId,
    ownerId: UserId,
    generation: z.number().int(),
    intervalSeconds: z.number().int(),
    /** Activation of the timer, epoch ms: ticks are at anchor + n × interval. */
    anchor: z.number(),
    scheduledAt: z.string(),
  }),
  /** One tick, delayed until it is due. */
  z.object({
    kind: z.literal('due'),
    sourceId: SourceId,
    ownerId: UserId,
    generation: z.number().int(),
    /** Time of the tick, epoch ms. */
    dueAt: z.number(),
  }),
]);
export type TimerMessage = z.infer<typeof TimerMessage>;
