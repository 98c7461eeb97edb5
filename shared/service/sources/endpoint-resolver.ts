import type { SourceId, UserId } from '../../domain/id.ts';
import { effectiveSource } from '../../domain/effective-source.ts';
import { TtlCache } from '../../domain/ttl-cache.ts';
import type { SourceStore } from '../../store/sources.ts';
import type { EmitterStore } from '../../store/emitters.ts';

/** What an endpoint leads to, while it is open. */
export interface OpenEndpoint {
  sourceId: SourceId;
  ownerId: UserId;
  /** Somebody waits for what the component answers. */
  customResponse: boolean;
  /** It takes an app's events, not requests. */
  isApphook: boolean;
  /** Epoch ms. */
  overloadedUntil: number;
}

export interface EndpointResolverOptions {
  sources: Pick<SourceStore, 'find' | 'findByEndpoint'>;
  emitters: Pick<EmitterStore, 'overloadedUntil'>;
  now(): number;
}

/** A source that was disabled or deleted is shut within this, and what else may be stale is less: the promise is 5 s. */
const REUSED_MS = 3_000;
const MOST_KNOWN = 10_000;

/** Finds the open door of an endpoint. A shut one is looked at anew each time: it may open at any moment. */
export function createEndpointResolver({ sources, emitters, now }: EndpointResolverOptions) {
  const known = new TtlCache<string, Promise<OpenEndpoint | undefined>>({
    ttlMs: REUSED_MS,
    maxEntries: MOST_KNOWN,
    now,
  });

  async function read(endpointId: string): Promise<OpenEndpoint | undefined> {
    const sourceId = await sources.findByEndpoint(endpointId);
    if (!sourceId) return undefined;
    const [found, overloadedUntil = 0] = await Promise.all([
      sources.find(sourceId),
      emitters.overloadedUntil(sourceId),
    ]);
    const source = found && effectiveSource(found);
    if (!source) return undefined;
    const { ownerId, traits } = source;
    const { customResponse, apphookProp } = traits;
    return { sourceId, ownerId, customResponse, isApphook: apphookProp !== undefined, overloadedUntil };
  }

  return async (endpointId: string): Promise<OpenEndpoint | undefined> => {
    const last = known.get(endpointId);
    if (last) return last;
    const endpoint = read(endpointId);
    known.set(endpointId, endpoint);
    let found: OpenEndpoint | undefined;
    try {
      found = await endpoint;
    } finally {
      if (!found) known.delete(endpointId);
    }
    return found;
  };
}
