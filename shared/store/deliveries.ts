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

/** One attempt and its outcome. */
export const Attempt = z.object({
  /** Number of the attempt, from 1. */
  attempt: z.number().int(),
  /** Start, epoch ms. */
  at: z.number(),
  outcome: z.enum(['delivered', 'rejected', 'timed_out', 'unreachable']),
  status: z.number().optional(),
  /** The first KB of the response body, or why there was no response. */
  answer: z.string().optional(),
  ms: z.number(),
});
export type Attempt = z.infer<typeof Attempt>;

/** One event for one listener whose first attempt did not succeed: payload, log and next attempt in one item. */
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
  /** Number of attempts made; the list may have fewer. */
  made: z.number().int(),
  /** Time of the next attempt, epoch ms. */
  nextAt: z.number().optional(),
  createdAt: z.number(),
});
export type Delivery = z.infer<typeof Delivery>;

export interface DeliveryStore {
  /** Creates the item unless it exists. */
  create(delivery: Delivery): Promise<void>;
  find(listenerId: ListenerId, id: DeliveryId): Promise<Delivery | undefined>;
  /** Claims an attempt for the caller. False when the attempt was made, or another instance is making it. */
  claim(delivery: Delivery, attempt: number, now: number): Promise<boolean>;
  /** Records an attempt. False when this attempt or a later one was recorded before. */
  record(delivery: Delivery, change: DeliveryChange): Promise<boolean>;
  setStatus(delivery: Delivery, status: DeliveryStatus): Promise<void>;
  remove(listenerId: ListenerId, id: DeliveryId): Promise<void>;
  /** Marks the webhook as suspect until then: deliveries to it skip the first attempt. */
  suspect(webhookId: WebhookId, until: number, now: number): Promise<void>;
  /** Deactivates the webhook, after it answered 410. */
  deactivate(webhookId: WebhookId, now: number): Promise<void>;
}

interface DeliveryChange {
  attempt: Attempt;
  status: DeliveryStatus;
  nextAt?: number | undefined;
}

/** Longer than an attempt, shorter than the visibility timeout of `retries`. */
const CLAIM_MS = 40_000;
/** Lifetime of an item. The retries take at most 91 h. */
const LIFETIME_MS = 14 * 24 * 60 * 60 * 1000;

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
              expiresAt: Math.floor((delivery.createdAt + LIFETIME_MS) / 1000),
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
