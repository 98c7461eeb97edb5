import * as z from 'zod';
import { type Delivery, deliveryIdOf, idPrefixOf, KeptResponse } from '../../domain/delivery/delivery.ts';
import { DAY_MS } from '../../lib/durations.ts';
import { shortHash } from '../../domain/event/emit-id.ts';
import { type EventId, eventId, type EventPosition, positionOf } from '../../domain/event/event-id.ts';
import { EmitterId, timeOfId, UserId, type WebhookId } from '../../domain/id.ts';
import { StreamName } from '../../domain/event/stream.ts';
import { deliveryLogKey } from '../table/keys.ts';

/** A delivery that succeeded at its first attempt. */
export interface LoggedSuccess {
  webhookId: WebhookId;
  ownerId: UserId;
  emitterId: EmitterId;
  stream: StreamName;
  eventId: EventId;
  emitId: string;
  /** Start of the attempt, epoch ms. */
  at: number;
  status: number;
  ms: number;
  response?: KeptResponse | undefined;
}

/**
 * Times of the deliveries of one item differ by at most this, so that a reader who begins in the middle of the log
 * knows how far back an item can reach.
 */
export const LONGEST_SPAN_MS = 5_000;
/** An item keeps a webhook's deliveries of one batch. More make further items: a write unit is 1,024 bytes. */
export const MAX_DELIVERIES = 20;
/** Characters of six bits each in a key, which tell apart items with the same newest position. */
const HASH_CHARACTERS = 14;
export const LOG_LIFETIME_MS = 8 * DAY_MS;

/**
 * Emitters and streams once each, then [emitter, event ms, sequence, emit id, start, status, ms], times relative to the
 * newest event.
 */
const Content = z.tuple([
  z.array(z.tuple([EmitterId, StreamName])),
  z.array(z.tuple([z.number(), z.number(), z.number(), z.string(), z.number(), z.number(), z.number()])),
]);
/** The responses that are kept, by the number of their delivery in the content. */
const Responses = z.array(z.tuple([z.number(), KeptResponse]));
const Item = z.object({ sk: z.string(), o: UserId, j: z.string(), r: z.string().default('[]') });

/** The items of deliveries that end together, for one `BatchWriteItem`. The same deliveries make the same items. */
export function toLogItems(successes: readonly LoggedSuccess[], now: number): Record<string, unknown>[] {
  const byWebhook = new Map<WebhookId, Positioned[]>();
  for (const positioned of positionedOf(successes)) {
    const { webhookId } = positioned.success;
    const own = byWebhook.get(webhookId);
    if (own) own.push(positioned);
    else byWebhook.set(webhookId, [positioned]);
  }
  return [...byWebhook.values()].flatMap((own) => groupsOf(own).map((group) => toItem(group, now)));
}

interface Positioned {
  success: LoggedSuccess;
  position: EventPosition;
}

/** The position of an event is read once for all webhooks. */
function positionedOf(successes: readonly LoggedSuccess[]): Positioned[] {
  const positions = new Map<EventId, EventPosition>();
  return successes.map((success) => {
    const position = positions.get(success.eventId) ?? positionOf(success.eventId);
    positions.set(success.eventId, position);
    return { success, position };
  });
}

type Group = [Positioned, ...Positioned[]];

/** Newest first; each group within the span and the limit of an item. */
function groupsOf(positioned: readonly Positioned[]): Group[] {
  const sorted = positioned.toSorted(({ position: a }, { position: b }) => b.ms - a.ms || b.sequence - a.sequence);
  const groups: Group[] = [];
  for (const each of sorted) {
    const group = groups.at(-1);
    const isFull =
      !group || group.length === MAX_DELIVERIES || group[0].position.ms - each.position.ms > LONGEST_SPAN_MS;
    if (isFull) groups.push([each]);
    else group.push(each);
  }
  return groups;
}

function toItem(group: Group, now: number): Record<string, unknown> {
  const [newest] = group;
  const base = newest.position.ms;
  const emitters = new Map<string, number>();
  const routes: [EmitterId, StreamName][] = [];
  const entries = group.map(({ position, success: { emitterId, stream, emitId, at, status, ms } }) => {
    const name = `${emitterId} ${stream}`;
    const route = emitters.get(name) ?? routes.push([emitterId, stream]) - 1;
    emitters.set(name, route);
    return [route, base - position.ms, position.sequence, emitId, at - base, status, ms];
  });
  const responses = group.flatMap(({ success: { response } }, n) => (response ? [[n, response]] : []));
  const hash = shortHash(group.map(({ success }) => success.emitId).join(' ')).slice(0, HASH_CHARACTERS);
  return {
    ...deliveryLogKey(newest.success.webhookId, idPrefixOf(newest.success.eventId), hash),
    o: newest.success.ownerId,
    j: JSON.stringify([routes, entries]),
    ...(responses.length === 0 ? {} : { r: JSON.stringify(responses) }),
    expiresAt: Math.floor((now + LOG_LIFETIME_MS) / 1_000),
  };
}

/** The deliveries of an item, newest first. */
export function fromLogItem(webhookId: WebhookId, item: unknown): Delivery[] {
  const { sk, o, j, r } = Item.parse(item);
  const base = timeOfId(sk);
  const [routes, entries] = Content.parse(JSON.parse(j));
  const responses = new Map(Responses.parse(JSON.parse(r)));
  return entries
    .map(([route, back, sequence, emitId, start, status, ms], n): Delivery => {
      const [emitterId, stream] = routes[route] ?? [];
      if (emitterId === undefined || stream === undefined)
        throw new Error(`The item ${sk} of the delivery log names no emitter ${route}`);
      const event = eventId({ ms: base - back, sequence });
      return {
        id: deliveryIdOf({ emitId, eventId: event }, webhookId),
        listenerId: webhookId,
        ownerId: o,
        emitterId,
        stream,
        eventId: event,
        emitId,
        status: 'delivered',
        attemptCount: 1,
        lastAttempt: { at: base + start, outcome: 'delivered', status, ms, ...responses.get(n) },
      };
    })
    .sort((a, b) => (a.id < b.id ? 1 : -1));
}
