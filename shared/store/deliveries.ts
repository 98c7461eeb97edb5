import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { EventId } from '../domain/event-id.ts';
import { DeliveryId, EmitterId, ListenerId, UserId, type WebhookId } from '../domain/id.ts';
import { Payload } from '../domain/message.ts';
import { StreamName } from '../domain/stream.ts';
import { deliveryKey, webhookKey } from './keys.ts';
import { conditionally, type TableOptions } from './table-client.ts';

/** `retrying` until delivered or dead; `held` while its webhook is inactive. */
export const DeliveryStatus = z.enum(['retrying', 'delivered', 'dead', 'held']);
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

/** How one attempt ended. */
export const Attempt = z.object({
  /** From 1. */
  attempt: z.number().int(),
  /** Epoch ms. */
  at: z.number(),
  outcome: z.enum(['delivered', 'rejected', 'timed_out', 'unreachable']),
  status: z.number().optional(),
  /** The first kilobyte of the answer, or why there was none. */
  answer: z.string().optional(),
  ms: z.number(),
});
export type Attempt = z.infer<typeof Attempt>;

/** One event for one listener that did not go at once: late payload, log and what is next, in one row. */
export const Delivery = z.object({
  id: DeliveryId,
  listenerId: ListenerId,
  ownerId: UserId,
  emitterId: EmitterId,
  stream: StreamName,
  eventId: EventId,
  emitId: z.string(),
  payload: Payload,
  status: DeliveryStatus,
  attempts: z.array(Attempt),
  /** How many attempts have been made, whether or not each is in the list. */
  made: z.number().int(),
  /** When the next attempt is due, epoch ms. */
  nextAt: z.number().optional(),
  createdAt: z.number(),
});
export type Delivery = z.infer<typeof Delivery>;

export interface DeliveryStore {
  /** Creates the row, unless it exists. */
  create(delivery: Delivery): Promise<void>;
  find(listenerId: ListenerId, id: DeliveryId): Promise<Delivery | undefined>;
  /** Takes an attempt for oneself: false when it was made, or somebody else is making it. */
  claim(delivery: Delivery, attempt: number, now: number): Promise<boolean>;
  /** Records an attempt; false when that attempt, or a later one, has been recorded already. */
  record(delivery: Delivery, change: DeliveryChange): Promise<boolean>;
  setStatus(delivery: Delivery, status: DeliveryStatus): Promise<void>;
  remove(listenerId: ListenerId, id: DeliveryId): Promise<void>;
  /** First attempts are not worth trying for a while. */
  suspect(webhookId: WebhookId, until: number, now: number): Promise<void>;
  /** The webhook said that it is gone. */
  deactivate(webhookId: WebhookId, now: number): Promise<void>;
}

interface DeliveryChange {
  attempt: Attempt;
  status: DeliveryStatus;
  nextAt?: number | undefined;
}

/** Longer than an attempt takes, shorter than a message that was not acknowledged stays away. */
const CLAIM_MS = 40_000;
/** Rows stay this long after their event: the retries take at most 91 h. */
const KEPT_MS = 14 * 24 * 60 * 60 * 1000;

export function deliveryStore({ dynamo, tableName }: TableOptions): DeliveryStore {
  return {
    async create(delivery) {
      await conditionally(() =>
        dynamo.send(
          new PutCommand({
            TableName: tableName,
            Item: {
              ...deliveryKey(delivery.listenerId, delivery.id),
              ...Object.fromEntries(Object.entries(delivery).filter(([, value]) => value !== undefined)),
              expiresAt: Math.floor((delivery.createdAt + KEPT_MS) / 1000),
            },
            ConditionExpression: 'attribute_not_exists(pk)',
          }),
        ),
      );
    },

    async find(listenerId, id) {
      const { Item } = await dynamo.send(
        new GetCommand({ TableName: tableName, Key: deliveryKey(listenerId, id), ConsistentRead: true }),
      );
      return Item && Delivery.parse(Item);
    },

    async claim({ listenerId, id }, attempt, now) {
      const written = await conditionally(() =>
        dynamo.send(
          new UpdateCommand({
            TableName: tableName,
            Key: deliveryKey(listenerId, id),
            UpdateExpression: 'SET claimed = :attempt, claimedUntil = :until',
            ConditionExpression:
              'attribute_exists(pk) AND made < :attempt AND (attribute_not_exists(claimed) OR claimed < :attempt OR claimedUntil < :now)',
            ExpressionAttributeValues: { ':attempt': attempt, ':until': now + CLAIM_MS, ':now': now },
          }),
        ),
      );
      return written !== undefined;
    },

    async record({ listenerId, id, attempts }, { attempt, status, nextAt }) {
      const written = await conditionally(() =>
        dynamo.send(
          new UpdateCommand({
            TableName: tableName,
            Key: deliveryKey(listenerId, id),
            UpdateExpression:
              'SET made = :made, attempts = :attempts, #status = :status' +
              (nextAt === undefined ? ' REMOVE nextAt' : ', nextAt = :nextAt'),
            ConditionExpression: 'attribute_exists(pk) AND made < :made',
            ExpressionAttributeNames: { '#status': 'status' },
            ExpressionAttributeValues: {
              ':made': attempt.attempt,
              ':attempts': [...attempts, attempt],
              ':status': status,
              ...(nextAt === undefined ? {} : { ':nextAt': nextAt }),
            },
          }),
        ),
      );
      return written !== undefined;
    },

    async setStatus({ listenerId, id }, status) {
      await conditionally(() =>
        dynamo.send(
          new UpdateCommand({
            TableName: tableName,
            Key: deliveryKey(listenerId, id),
            UpdateExpression: 'SET #status = :status REMOVE nextAt',
            ConditionExpression: 'attribute_exists(pk)',
            ExpressionAttributeNames: { '#status': 'status' },
            ExpressionAttributeValues: { ':status': status },
          }),
        ),
      );
    },

    async remove(listenerId, id) {
      await dynamo.send(new DeleteCommand({ TableName: tableName, Key: deliveryKey(listenerId, id) }));
    },

    async suspect(webhookId, until, now) {
      await conditionally(() =>
        dynamo.send(
          new UpdateCommand({
            TableName: tableName,
            Key: webhookKey(webhookId),
            UpdateExpression: 'SET suspectUntil = :until',
            ConditionExpression:
              'attribute_exists(pk) AND (attribute_not_exists(suspectUntil) OR suspectUntil < :now)',
            ExpressionAttributeValues: { ':until': until, ':now': now },
          }),
        ),
      );
    },

    async deactivate(webhookId, now) {
      await conditionally(() =>
        dynamo.send(
          new UpdateCommand({
            TableName: tableName,
            Key: webhookKey(webhookId),
            UpdateExpression: 'SET active = :no, updatedAt = :now',
            ConditionExpression: 'attribute_exists(pk) AND active = :yes',
            ExpressionAttributeValues: { ':no': false, ':yes': true, ':now': now },
          }),
        ),
      );
    },
  };
}
