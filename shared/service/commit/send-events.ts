import { messagePayloadKey } from '../../aws/object-keys.ts';
import { storedPayload } from '../../aws/payloads.ts';
import { LARGEST_INLINE_BYTES } from '../../domain/event/payload.ts';
import type { DeliveryMessage } from '../../domain/run/message.ts';
import type { CommitContext, CommitInput } from './commit-context.ts';
import type { Numbered } from './number-events.ts';

/** Resolves when the queue has the events. Large ones are written here, because their bytes are at hand. */
export async function sendEvents(
  { bucket, sendDeliveries }: CommitContext,
  { emitterId, ownerId }: CommitInput,
  events: readonly Numbered[],
): Promise<void> {
  const messageOf = async ({ encoded, stored, chain }: Numbered): Promise<DeliveryMessage> => {
    const { stream, id: eventId, emitId, indexedAt } = stored;
    const key = messagePayloadKey({ ownerId, emitterId, emitId });
    const payload = encoded.utf8 ? await storedPayload(bucket, encoded, key) : encoded;
    return { emitterId, ownerId, stream, eventId, emitId, indexedAt, payload, ...chain };
  };
  await sendDeliveries(await Promise.all(events.map(messageOf)));
}

/** Bytes of the payloads that {@link sendEvents} writes to the bucket. */
export const largePayloads = (events: readonly Numbered[]): number =>
  events
    .map(({ encoded: { utf8 } }) => utf8?.length ?? 0)
    .reduce((sum, bytes) => (bytes > LARGEST_INLINE_BYTES ? sum + bytes : sum), 0);
