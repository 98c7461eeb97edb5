import { setTimeout as pause } from 'node:timers/promises';
import { type SendMessageBatchRequestEntry, SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { groupsWithin } from '../lib/reading/groups-within.ts';
import { ServiceError } from '../domain/errors.ts';
import { messageText } from '../domain/run/message-text.ts';
import type {
  DeliveryMessage,
  DrainMessage,
  EmitTrigger,
  HeartbeatMessage,
  RetryMessage,
  ScheduledTick,
  JobMessage,
  Trigger,
} from '../domain/run/message.ts';
import type { Payload } from '../domain/event/payload.ts';
import { tickId } from '../domain/run/tick-id.ts';
import { messagePayloadKey, triggerPayloadKey } from './object-keys.ts';
import { type MessageBody, type PayloadStore, withPayload } from './payloads.ts';

interface Outgoing extends MessageBody {
  groupId?: string;
  deduplicationId?: string;
  delaySeconds?: number;
}

export interface QueueOptions {
  sqs(): SQSClient;
  queueUrl: string;
}

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html */
const LARGEST_BATCH = 10;
const LARGEST_REQUEST_BYTES = 1_048_576;
/** Estimate per entry for group id, deduplication id and the request's syntax. */
const ENTRY_OVERHEAD_BYTES = 512;
const MAX_ATTEMPTS = 6;

const batches = (messages: readonly Outgoing[]): Outgoing[][] =>
  groupsWithin(messages, { items: LARGEST_BATCH, bytes: LARGEST_REQUEST_BYTES }, sizeOf);

const sizeOf = ({ body, bytes = Buffer.byteLength(body) }: Outgoing): number => bytes + ENTRY_OVERHEAD_BYTES;

const entryOf = (message: Outgoing, index: number): SendMessageBatchRequestEntry => ({
  Id: String(index),
  MessageBody: message.body,
  ...(message.groupId === undefined ? {} : { MessageGroupId: message.groupId }),
  ...(message.deduplicationId === undefined ? {} : { MessageDeduplicationId: message.deduplicationId }),
  ...(message.delaySeconds ? { DelaySeconds: message.delaySeconds } : {}),
});

/**
 * Resolves when every message was accepted. Refused entries are repeated with exponential backoff, up to
 * `MAX_ATTEMPTS`.
 */
async function sendBatch({ sqs, queueUrl }: QueueOptions, batch: readonly Outgoing[]): Promise<void> {
  let left = batch;
  for (let attempt = 1; ; attempt += 1) {
    const { Failed = [] } = await sqs().send(
      new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: left.map(entryOf) }),
    );
    if (Failed.length === 0) return;
    const [first] = Failed;
    if (attempt === MAX_ATTEMPTS || Failed.some(({ SenderFault }) => SenderFault)) {
      throw new ServiceError(
        'unavailable',
        'The service accepts no more work at the moment; repeat the request in a few seconds.',
        { cause: new Error(`The queue refused a message: ${first?.Code ?? 'unknown'}`) },
      );
    }
    const refused = new Set(Failed.map(({ Id }) => Id));
    left = left.filter((_, index) => refused.has(String(index)));
    await pause(2 ** attempt * 10 * (0.5 + Math.random()));
  }
}

/** Sends batches one after the other, so that messages of a group stay in order. */
export async function sendAll(options: QueueOptions, messages: readonly Outgoing[]): Promise<void> {
  for (const batch of batches(messages)) await sendBatch(options, batch);
}

/**
 * Messages sent within one tick of the event loop share requests: batches of ten under concurrent requests, without a
 * delay for a single one.
 */
function coalescing(options: QueueOptions): (message: Outgoing) => Promise<void> {
  let waiting: { message: Outgoing; resolve: () => void; reject: (error: unknown) => void }[] = [];
  const flush = () => {
    const pending = waiting;
    waiting = [];
    let start = 0;
    for (const batch of batches(pending.map(({ message }) => message))) {
      const senders = pending.slice(start, (start += batch.length));
      sendBatch(options, batch).then(
        () => {
          for (const { resolve } of senders) resolve();
        },
        (error: unknown) => {
          for (const { reject } of senders) reject(error);
        },
      );
    }
  };
  return (message) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ message, resolve, reject });
    });
}

const triggerMessage = (trigger: Trigger, body: MessageBody): Outgoing => ({
  ...body,
  groupId: trigger.emitterId,
  deduplicationId: trigger.id,
});

const hasPayload = <T extends Trigger>(trigger: T): trigger is T & { payload: Payload } =>
  'payload' in trigger && trigger.payload !== undefined;

const triggerText = (store: PayloadStore, trigger: Trigger): MessageBody | Promise<MessageBody> =>
  hasPayload(trigger) ? withPayload(store, trigger, triggerPayloadKey(trigger)) : { body: messageText(trigger) };

/**
 * Sends triggers to `runs.fifo`: group = emitter, deduplication id = trigger id. Resolves when SQS has accepted all of
 * them.
 */
export const createTriggerSender =
  (options: QueueOptions & { payloads: PayloadStore }) =>
  async (triggers: readonly Trigger[]): Promise<void> => {
    const messages = await Promise.all(
      triggers.map(async (trigger) => triggerMessage(trigger, await triggerText(options.payloads, trigger))),
    );
    await sendAll(options, messages);
  };

/**
 * Sends messages that execute a backlog. They have a group of their own: the group of the source moves triggers
 * meanwhile.
 */
export const createDrainSender =
  (options: QueueOptions) =>
  (message: DrainMessage): Promise<void> => {
    const { id, emitterId, backlog } = message;
    const groupId = backlog === undefined ? emitterId : `${emitterId}~backlog`;
    return sendAll(options, [{ body: messageText(message), groupId, deduplicationId: id }]);
  };

/** Like {@link createTriggerSender}, for single triggers of concurrent requests. */
export function createTriggerCoalescer(options: QueueOptions & { payloads: PayloadStore }) {
  const send = coalescing(options);
  return async (trigger: Trigger): Promise<void> =>
    send(triggerMessage(trigger, await triggerText(options.payloads, trigger)));
}

/** Sends the trigger of a notice to `runs.fifo`; its payload always fits into the message. */
export const createNoticeSender =
  (options: QueueOptions) =>
  (trigger: EmitTrigger): Promise<void> =>
    sendAll(options, [triggerMessage(trigger, { body: messageText(trigger) })]);

/**
 * Sends timer ticks to `runs.fifo`, like a schedule. The deduplication id drops a repeated tick of the same generation.
 */
export const createTickSender =
  (options: QueueOptions) =>
  (ticks: readonly ScheduledTick[]): Promise<void> =>
    sendAll(
      options,
      ticks.map((tick) => ({
        body: messageText(tick),
        groupId: tick.sourceId,
        deduplicationId: tickId(tick),
      })),
    );

/**
 * One batch of ten for each of the SDK's 50 sockets; more would wait for a socket and block other calls of the process.
 */
const MAX_CONCURRENT_DELIVERIES = 500;

/**
 * Sends delivery messages to `deliveries`; messages of emitters that run concurrently share requests. The owner is the
 * message group, which makes a standard queue fair between users (docs/delivery.md).
 */
export function createDeliverySender(options: QueueOptions & { payloads: PayloadStore }) {
  const send = coalescing(options);
  return async (messages: readonly DeliveryMessage[]): Promise<void> => {
    for (let start = 0; start < messages.length; start += MAX_CONCURRENT_DELIVERIES) {
      const some = messages.slice(start, start + MAX_CONCURRENT_DELIVERIES);
      const bodies = await Promise.all(
        some.map(async (message) => ({
          ...(await withPayload(options.payloads, message, messagePayloadKey(message))),
          groupId: message.ownerId,
        })),
      );
      await Promise.all(bodies.map((body) => send(body)));
    }
  };
}

/**
 * Sends messages to `retries`; concurrent ones share requests. The listener is the message group, which makes a
 * standard queue fair between listeners.
 */
export function createRetrySender(options: QueueOptions) {
  const send = coalescing(options);
  return (message: RetryMessage, delaySeconds: number): Promise<void> =>
    send({ body: messageText(message), groupId: message.listenerId, delaySeconds });
}

/** Sends jobs, each with its own delay of at most 900 s. */
export const createJobSender =
  (options: QueueOptions) =>
  (messages: readonly { message: JobMessage | HeartbeatMessage; delaySeconds: number }[]): Promise<void> =>
    sendAll(
      options,
      messages.map(({ message, delaySeconds }) => ({ body: messageText(message), delaySeconds })),
    );
