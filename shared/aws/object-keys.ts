import { createHash } from 'node:crypto';
import type { EventId } from '../domain/event-id.ts';
import type { EmitterId } from '../domain/id.ts';
import type { StreamName } from '../domain/stream.ts';

interface PrefixRule {
  /** Objects under the prefix are removed after so many days; without a number they stay. */
  expiresAfterDays?: number;
}

export type ObjectPrefix = 'code' | 'bundles' | 'builds' | 'bodies' | 'payloads';

/** The bucket's prefixes. The construct of the bucket reads them: it grants by prefix and expires what has a lifetime. */
export const objectPrefixes: Record<ObjectPrefix, PrefixRule> = {
  /** Code of components. */
  code: {},
  /** Built components, under user and content. */
  bundles: {},
  /** Results of builds, under user and inputs; a build whose result has expired runs again. */
  builds: { expiresAfterDays: 1 },
  /** Event data that no item can hold. */
  bodies: {},
  /** Payloads that no message can hold. They last as long as messages and held deliveries. */
  payloads: { expiresAfterDays: 14 },
};

export const codeKey = (ownerId: string, contentHash: string): string => `code/${ownerId}/${contentHash}`;

export const bundleKey = (ownerId: string, bundleHash: string): string =>
  `bundles/${ownerId}/${bundleHash}.mjs`;

/** The keys of everything that one set of build inputs leaves behind. */
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

/** A delayed emit that no schedule can carry. */
export const delayedEmitKey = (emitterId: EmitterId, id: EventId): string => `bodies/${emitterId}/held-${id}`;

/** The content's hash: sending the same payload again writes the same object, and renews its lifetime. */
export const payloadKey = (json: string): string =>
  `payloads/${createHash('sha256').update(json).digest('hex')}`;
