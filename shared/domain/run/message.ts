import * as z from 'zod';
import { BodyForm } from '../event/carried-event.ts';
import { chainFields } from './chain.ts';
import { SignInId, DeliveryId, EmitterId, ListenerId, RecoveryId, SourceId, UserId, WebhookId } from '../id.ts';
import { MetricSubject, SubjectList } from '../metrics/tally.ts';
import { LoginPosition } from '../oauth/login-position.ts';
import { EventId } from '../event/event-id.ts';
import { StreamName } from '../event/stream.ts';
import { Payload } from '../event/payload.ts';

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

export const RunTrigger = z.object({
  kind: z.literal('run'),
  ...common,
  cause: SourceType,
  payload: Payload,
  /** Set for HTTP events: their payload has no `body`, because it follows from `bodyRaw`. */
  body: BodyForm.optional(),
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
  /** Absent in a delayed emit, whose event waits on stream `$in`. */
  payload: Payload.optional(),
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

/** Drops the triggers of the source that were accepted before it and have not run. */
export const DeleteTriggersTrigger = z.object({ kind: z.literal('delete-triggers'), ...common });
export type DeleteTriggersTrigger = z.infer<typeof DeleteTriggersTrigger>;

/** Forgets the ids by which a source deduplicates, those of everything that was accepted before. */
export const ResetDedupeTrigger = z.object({ kind: z.literal('reset-dedupe'), ...common });
export type ResetDedupeTrigger = z.infer<typeof ResetDedupeTrigger>;

/** The last message of a deleted emitter's queue. */
export const PurgeTrigger = z.object({ kind: z.literal('purge'), ...common });
export type PurgeTrigger = z.infer<typeof PurgeTrigger>;

/** A trigger, in a message of `runs.fifo`; its group is the emitter id. */
export const Trigger = z.discriminatedUnion('kind', [
  RunTrigger,
  EmitTrigger,
  LifecycleTrigger,
  DeleteEventsTrigger,
  DeleteTriggersTrigger,
  ResetDedupeTrigger,
  PurgeTrigger,
]);
export type Trigger = z.infer<typeof Trigger>;

/**
 * Executes the backlog of a source, in a message group of its own. Without `backlog` it is in the group of the source,
 * whose consumer then lets the execution go on: of a user who was resumed.
 */
export const DrainMessage = z.object({
  kind: z.literal('drain'),
  ...common,
  backlog: z.string().optional(),
  /** Names the chain of messages in which each sends the next one. */
  chain: z.string().default(''),
  /** Number of the message in its chain. */
  number: z.number().int().default(0),
});
export type DrainMessage = z.infer<typeof DrainMessage>;

/**
 * Message of EventBridge Scheduler on `runs.fifo` for a source's timer; the scheduler fills in `scheduledAt` as ISO
 * text. `parseTrigger` turns it into a RunTrigger with id `tick-<source>-<generation>-<scheduledAt>`.
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
  /** When the event was stored, epoch ms; absent in messages of earlier releases. */
  indexedAt: z.number().optional(),
  /** The bare event, as it was emitted. */
  payload: Payload,
  ...chainFields,
  /** The event has a mark, which its fan-out removes: ordered webhooks of its owner wait for it. */
  isMarked: z.boolean().optional(),
  /** Continuation of a fan-out: only listeners that sort after this id. */
  after: z.string().optional(),
});
export type DeliveryMessage = z.infer<typeof DeliveryMessage>;

/** A message of `retries`. */
export const RetryMessage = z.discriminatedUnion('kind', [
  /** The next scheduled attempt of one delivery. */
  z.object({
    kind: z.literal('retry'),
    deliveryId: DeliveryId,
    listenerId: ListenerId,
    /**
     * Number of the message: the delivery ignores messages with a lower number. The field keeps the name of the first
     * data format.
     */
    turn: z.number().int(),
  }),
  z.object({
    kind: z.literal('redeliver'),
    deliveryId: DeliveryId,
    listenerId: WebhookId,
    /** Names the request: a copy of the message makes no further attempt. */
    request: z.string(),
  }),
  /** The next probe of a webhook with an open breaker. */
  z.object({ kind: z.literal('probe'), listenerId: WebhookId, probe: z.number().int() }),
  /** Sends the webhook's waiting deliveries, oldest first. */
  z.object({ kind: z.literal('drain'), listenerId: WebhookId }),
  /** Holds the waiting deliveries of a webhook that was deactivated. */
  z.object({
    kind: z.literal('hold'),
    listenerId: WebhookId,
    /** Continuation: only deliveries that sort after this id. */
    after: DeliveryId.optional(),
  }),
  /** Keeps the newest deliveries of a webhook in its log. */
  z.object({ kind: z.literal('keep'), listenerId: WebhookId }),
  /** Removes the deliveries of a webhook that was removed. */
  z.object({
    kind: z.literal('forget'),
    listenerId: WebhookId,
    ownerId: UserId,
    /** Continuation: only deliveries that sort after this id. */
    after: DeliveryId.optional(),
    /** The last of two passes. */
    isSecond: z.boolean().optional(),
  }),
  /** The next chunk of a recovery. */
  z.object({
    kind: z.literal('recover'),
    listenerId: WebhookId,
    recoveryId: RecoveryId,
    /** Number of the chunk; messages of earlier chunks are void. The field keeps the name of the first data format. */
    part: z.number().int().default(0),
  }),
]);
export type RetryMessage = z.infer<typeof RetryMessage>;
export type RetryMessageOf<Kind extends RetryMessage['kind']> = Extract<RetryMessage, { kind: Kind }>;

/** Sent by a schedule of the stack each minute, first to `retries`: shows that the queues are consumed. */
export const HeartbeatMessage = z.object({ kind: z.literal('heartbeat'), scheduledAt: z.string() });
export type HeartbeatMessage = z.infer<typeof HeartbeatMessage>;

/** All messages of the queue `retries`. */
export const RetriesMessage = z.discriminatedUnion('kind', [...RetryMessage.options, HeartbeatMessage]);

/**
 * Messages of the queue of jobs, `timers` in a deployed stack: ticks of intervals that are not whole minutes, sign-ins,
 * accounts, metrics.
 */
export const JobMessage = z.discriminatedUnion('kind', [
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
  /** Sent by a schedule once a day: renew the accounts that nothing used for a week. */
  z.object({
    kind: z.literal('idle-accounts'),
    // A message of an earlier version names an account: its job starts anew.
    after: LoginPosition.optional().catch(undefined),
  }),
  /** Sent by a schedule of the stack every hour: add up the metrics of all users, those after this one. */
  z.object({ kind: z.literal('metrics'), after: UserId.optional() }),
  /** Add up the metrics of a user's sources or webhooks, those after this one. */
  z.object({
    kind: z.literal('metrics-of-user'),
    ownerId: UserId,
    list: SubjectList,
    after: MetricSubject.optional(),
  }),
  /** Tokens of a sign-in that are dropped unless its user has confirmed it. */
  z.object({ kind: z.literal('flight'), attemptId: SignInId, stateHash: z.string() }),
]);
export type JobMessage = z.infer<typeof JobMessage>;

export const JobsMessage = z.discriminatedUnion('kind', [...JobMessage.options, HeartbeatMessage]);

/** A job, and the time that it waits in the queue. */
export interface DelayedJob {
  message: JobMessage;
  delaySeconds: number;
}
export type JobMessageOf<Kind extends JobMessage['kind']> = Extract<JobMessage, { kind: Kind }>;
