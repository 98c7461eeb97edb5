import { ServiceError } from '../../domain/errors.ts';
import type { OpenAppHook } from '../../domain/app-hook/receive-app-request.ts';
import { appHookOf } from '../../domain/app-hook/app-hooks.ts';
import { sourceAppHook } from '../../domain/app-hook/source-app-hook.ts';
import type { SourceId, UserId } from '../../domain/id.ts';
import { type Source, type Suspension, effectiveSource } from '../../domain/source/source.ts';
import { TtlCache } from '../../lib/ttl-cache.ts';
import type { SourceStore } from '../../store/emitters/sources.ts';
import type { BacklogStore } from '../../store/emitters/backlog.ts';
import type { AccountReader } from '../accounts/account-reader.ts';

export interface OpenEndpoint {
  sourceId: SourceId;
  ownerId: UserId;
  /** Runs are synchronous: the component makes the HTTP response. */
  customResponse: boolean;
  /** Set when the endpoint takes the requests of an app. */
  appHook: OpenAppHook | undefined;
  /** Triggers in the source's backlog; undefined without one. */
  waiting: number | undefined;
  /** Set while the owner is suspended. */
  suspension?: Suspension | undefined;
}

export interface EndpointResolverOptions {
  sources: Pick<SourceStore, 'find' | 'findByEndpoint'>;
  backlogs: Pick<BacklogStore, 'waiting'>;
  accounts: Pick<AccountReader, 'fieldOf'>;
  now(): number;
}

/** A caller cannot tell an endpoint that never was from one of a source that is off. */
export const noEndpoint = () =>
  new ServiceError(
    'not_found',
    'There is no endpoint at this address: check the address, and whether its source is active.',
  );

/** A suspended source has no response of its own. */
export const suspendedSource = () =>
  new ServiceError(
    'suspended',
    'The source does not run, because its owner is suspended, and only its run could answer this request.',
  );

/** Cache time. A disabled source must stop answering within 5 s; other caches add less than 2 s. */
const CACHE_MS = 3_000;
const MAX_CACHED_ENDPOINTS = 10_000;

/** Finds the active source of an endpoint. Misses are not cached: a source may become active at any moment. */
export function createEndpointResolver({ sources, backlogs, accounts, now }: EndpointResolverOptions) {
  const cache = new TtlCache<string, Promise<OpenEndpoint | undefined>>({
    ttlMs: CACHE_MS,
    maxEntries: MAX_CACHED_ENDPOINTS,
    now,
  });

  async function read(endpointId: string): Promise<OpenEndpoint | undefined> {
    const sourceId = await sources.findByEndpoint(endpointId);
    if (!sourceId) return undefined;
    const [found, waiting] = await Promise.all([sources.find(sourceId), backlogs.waiting([sourceId])]);
    const source = found && effectiveSource(found);
    if (!source) return undefined;
    const { ownerId, traits, suspension } = source;
    return {
      sourceId,
      ownerId,
      customResponse: traits.customResponse,
      appHook: await openAppHook(source),
      waiting: waiting.get(sourceId)?.count,
      suspension,
    };
  }

  async function openAppHook(source: Source): Promise<OpenAppHook | undefined> {
    const hook = sourceAppHook(source);
    if (!hook) return undefined;
    const { app, account, eventNames } = hook;
    const { secretField: field } = appHookOf(app);
    const secret =
      app === undefined || field === undefined
        ? undefined
        : await accounts.fieldOf(source.ownerId, account, { app, field });
    return { app, eventNames, secret };
  }

  return async (endpointId: string): Promise<OpenEndpoint | undefined> => {
    const last = cache.get(endpointId);
    if (last) return last;
    const endpoint = read(endpointId);
    cache.set(endpointId, endpoint);
    let found: OpenEndpoint | undefined;
    try {
      found = await endpoint;
    } finally {
      if (!found) cache.delete(endpointId);
    }
    return found;
  };
}
