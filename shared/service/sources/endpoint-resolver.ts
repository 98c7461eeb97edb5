import type { SourceId, UserId } from '../../domain/id.ts';
import { inForce } from '../../domain/effective-source.ts';
import { Recent } from '../../domain/ttl-cache.ts';
import type { SourceStore } from '../../store/sources.ts';
import type { Emitters } from '../../store/emitters.ts';

/** What an endpoint leads to, while it is open. */
export interface Door {
  sourceId: SourceId;
  ownerId: UserId;
  /** Somebody waits for what the component answers. */
  customResponse: boolean;
  /** It takes an app's events, not requests. */
  isApphook: boolean;
  /** Epoch ms. */
  laggingUntil: number;
}

export interface DoorServices {
  sources: Pick<SourceStore, 'find' | 'findByEndpoint'>;
  emitters: Pick<Emitters, 'laggingUntil'>;
  now(): number;
}

/** A source that was disabled or deleted is shut within this, and what else may be stale is less: the promise is 5 s. */
const REUSED_MS = 3_000;
const MOST_KNOWN = 10_000;

/** Finds the open door of an endpoint. A shut one is looked at anew each time: it may open at any moment. */
export function doorsOf({ sources, emitters, now }: DoorServices) {
  const known = new Recent<string, Promise<Door | undefined>>({ ms: REUSED_MS, most: MOST_KNOWN, now });

  async function read(endpointId: string): Promise<Door | undefined> {
    const sourceId = await sources.findByEndpoint(endpointId);
    if (!sourceId) return undefined;
    const [found, laggingUntil = 0] = await Promise.all([
      sources.find(sourceId),
      emitters.laggingUntil(sourceId),
    ]);
    const source = found && inForce(found);
    if (!source) return undefined;
    const { ownerId, traits } = source;
    const { customResponse, apphookProp } = traits;
    return { sourceId, ownerId, customResponse, isApphook: apphookProp !== undefined, laggingUntil };
  }

  return async (endpointId: string): Promise<Door | undefined> => {
    const last = known.get(endpointId);
    if (last) return last;
    const door = read(endpointId);
    known.set(endpointId, door);
    let found: Door | undefined;
    try {
      found = await door;
    } finally {
      if (!found) known.delete(endpointId);
    }
    return found;
  };
}
