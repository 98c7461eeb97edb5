import type { EventId } from '../domain/event/event-id.ts';
import type { DeliveryId, EmitterId, ListenerId, UserId } from '../domain/id.ts';
import type { StreamName } from '../domain/event/stream.ts';

interface PrefixRule {
  /** Lifetime of objects; undefined means that they do not expire. */
  expiresAfterDays?: number;
}

export type ObjectPrefix = 'code' | 'bundles' | 'builds' | 'bodies' | 'payloads';

/**
 * The bucket's prefixes. The bucket's construct grants permissions by prefix and sets the lifecycle rules from them.
 */
export const objectPrefixes: Record<ObjectPrefix, PrefixRule> = {
  /** Code of components. */
  code: {},
  /** Built components, by user and content. */
  bundles: {},
  /** Results of builds, by user and inputs. A build whose result has expired runs again. */
  builds: { expiresAfterDays: 1 },
  /** Event data too large for an item. */
  bodies: {},
  /**
   * Payloads too large for a message. Their owners delete them; the lifetime is that of the deliveries that need them.
   */
  payloads: { expiresAfterDays: 30 },
};

export const codeKey = (ownerId: string, contentHash: string): string => `code/${ownerId}/${contentHash}`;

export const filesKey = (ofCode: string): string => `${ofCode}.files`;

export const bundleKey = (ownerId: string, bundleHash: string): string => `bundles/${ownerId}/${bundleHash}.mjs`;

export function buildKeys(ownerId: string, inputHash: string) {
  const folder = `builds/${ownerId}/${inputHash}`;
  return {
    bundle: (attempt: string) => `${folder}/${attempt}.mjs`,
    manifest: `${folder}/manifest.json`,
    overrun: `${folder}/overrun`,
  };
}

export const eventBodyKey = (emitterId: EmitterId, stream: StreamName, id: EventId): string =>
  `bodies/${emitterId}/${id}-${Buffer.from(stream).toString('base64url')}`;

/** Payload of a delayed emit that is too large for its schedule. */
export const delayedEmitKey = (emitterId: EmitterId, id: EventId): string => `bodies/${emitterId}/held-${id}`;

/** Payload of a trigger that waits in a backlog. It belongs to that trigger alone, and is deleted with it. */
export const waitingPayloadKey = (sourceId: EmitterId, sequence: string): string => `payloads/${sourceId}/${sequence}`;

/** Payloads of a user's triggers and delivery messages are below this, by emitter. */
export const payloadsOf = (ownerId: UserId): string => `payloads/${ownerId}/`;

/** The emitter of a payload, from a key below {@link payloadsOf}. */
export const emitterOfPayload = (key: string): string => key.split('/')[2] ?? '';

interface OwnedByEmitter {
  ownerId: UserId;
  emitterId: EmitterId;
}

/** Payloads of an emitter's triggers are below this. */
export const triggerPayloadsOf = ({ ownerId, emitterId }: OwnedByEmitter): string =>
  `${payloadsOf(ownerId)}${emitterId}/triggers/`;

/** The same trigger has the same key however often it is sent. */
export const triggerPayloadKey = (trigger: OwnedByEmitter & { id: string }): string =>
  `${triggerPayloadsOf(trigger)}${trigger.id}`;

/** A message with another page of listeners has a payload of its own. */
export const messagePayloadKey = ({
  ownerId,
  emitterId,
  emitId,
  after,
}: OwnedByEmitter & { emitId: string; after?: string | undefined }): string =>
  `${payloadsOf(ownerId)}${emitterId}/messages/${emitId}${after === undefined ? '' : `.${after}`}`;

/** `request` is a request to redeliver that stored the payload again. */
export const deliveryPayloadKey = (listenerId: ListenerId, id: DeliveryId, request?: string): string =>
  `payloads/deliveries/${listenerId}/${id}${request === undefined ? '' : `.${request}`}`;
