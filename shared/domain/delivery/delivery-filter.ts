import { type AttemptOutcome, createdAtOf, type Delivery, type DeliveryStatus } from './delivery.ts';
import { type EventId, positionOf } from '../event/event-id.ts';
import type { EmitterId } from '../id.ts';
import type { StreamName } from '../event/stream.ts';

/** Selects deliveries; undefined fields select all. */
export interface DeliveryFilter {
  status?: DeliveryStatus | undefined;
  outcome?: AttemptOutcome | undefined;
  emitterId?: EmitterId | undefined;
  stream?: StreamName | undefined;
  eventId?: EventId | undefined;
  /** Included, epoch ms. */
  since?: number | undefined;
  /** Excluded, epoch ms. */
  until?: number | undefined;
}

export function matchesFilter(delivery: Delivery, filter: DeliveryFilter): boolean {
  const { status, outcome, emitterId, stream, eventId } = filter;
  const { fromMs, toMs } = timesOf(filter);
  const at = createdAtOf(delivery);
  return (
    (status === undefined || delivery.status === status) &&
    (outcome === undefined || delivery.lastAttempt?.outcome === outcome) &&
    (emitterId === undefined || delivery.emitterId === emitterId) &&
    (stream === undefined || delivery.stream === stream) &&
    (eventId === undefined || delivery.eventId === eventId) &&
    at >= fromMs &&
    at <= toMs
  );
}

/** The creation times that can match, both included. An event id has the time of its deliveries. */
export function timesOf({ since = 0, until, eventId }: DeliveryFilter): { fromMs: number; toMs: number } {
  const eventMs = eventId && positionOf(eventId).ms;
  return {
    fromMs: Math.max(Math.ceil(since), eventMs ?? 0),
    toMs: Math.min(until === undefined ? Infinity : Math.ceil(until) - 1, eventMs ?? Infinity),
  };
}

/** Whether deliveries that succeeded at their first attempt can match. */
export const canMatchFirstSuccess = ({ status, outcome }: DeliveryFilter): boolean =>
  (status === undefined || status === 'delivered') && (outcome === undefined || outcome === 'delivered');
