import { messagePayloadKey } from '../../aws/object-keys.ts';
import { storedPayload } from '../../aws/payloads.ts';
import { LARGEST_INLINE_BYTES } from '../../domain/event/payload.ts';
import type { DeliveryMessage } from '../../domain/run/message.ts';
import type { UserId } from '../../domain/id.ts';
import { ORDERED_CACHE_MS } from '../../domain/time-limits.ts';
import { cachedRead, TtlCache } from '../../lib/ttl-cache.ts';
import type { OrderedWebhookStore } from '../../store/subscriptions/webhooks.ts';
import type { CommitContext, CommitInput } from './commit-context.ts';
import type { Numbered } from './number-events.ts';

interface EventsToSend {
  events: readonly Numbered[];
  /** The owner has an ordered webhook: the queue is not in order, so that the events are marked before. */
  isMarked: boolean;
}

/**
 * Resolves when the queue has the events. Large ones are written here, because their bytes are at hand. Without marks
 * and large events they are sent in this turn of the event loop: one machine writes them to its disk with the events.
 */
export async function sendEvents(
  { bucket, sendDeliveries, fanOuts }: CommitContext,
  { emitterId, ownerId }: CommitInput,
  { events, isMarked }: EventsToSend,
): Promise<void> {
  if (isMarked)
    await fanOuts.mark(
      emitterId,
      events.map(({ stored }) => stored.id),
    );
  const mark = isMarked ? { isMarked } : {};
  const messageOf = async ({ encoded, stored, chain }: Numbered): Promise<DeliveryMessage> => {
    const { stream, id: eventId, emitId, indexedAt } = stored;
    const key = messagePayloadKey({ ownerId, emitterId, emitId });
    const payload = encoded.utf8 ? await storedPayload(bucket, encoded, key) : encoded;
    return { emitterId, ownerId, stream, eventId, emitId, indexedAt, payload, ...mark, ...chain };
  };
  await sendDeliveries(await Promise.all(events.map(messageOf)));
}

/** Bytes of the payloads that {@link sendEvents} writes to the bucket. */
export const largePayloads = (events: readonly Numbered[]): number =>
  events
    .map(({ encoded: { utf8 } }) => utf8?.length ?? 0)
    .reduce((sum, bytes) => (bytes > LARGEST_INLINE_BYTES ? sum + bytes : sum), 0);

const MAX_CACHED_OWNERS = 5_000;

interface OrderedOwnersOptions {
  orderedWebhooks: Pick<OrderedWebhookStore, 'hasAny'>;
  now(): number;
}

export function createHasOrdered({
  orderedWebhooks,
  now,
}: OrderedOwnersOptions): (ownerId: UserId) => Promise<boolean> {
  const cache = new TtlCache<UserId, Promise<boolean>>({
    ttlMs: ORDERED_CACHE_MS,
    maxEntries: MAX_CACHED_OWNERS,
    now,
  });
  return (ownerId) => cachedRead(cache, ownerId, () => orderedWebhooks.hasAny(ownerId));
}
