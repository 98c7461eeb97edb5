import { randomUUID } from 'node:crypto';
import { type Quotas, secondsUntilReset } from '../../service/admission/quotas.ts';
import { SUCCESS, type SynchronousAnswer } from '../../service/runs/synchronous-run.ts';
import { ServiceError } from '../../domain/errors.ts';
import { refusedForMs } from '../../domain/overload.ts';
import type { RunTrigger, Trigger } from '../../domain/message.ts';
import { skipNotice, type Skipped } from '../../domain/skip-notice.ts';
import { dayOf } from '../../domain/user.ts';
import type { OpenEndpoint } from '../../service/sources/endpoint-resolver.ts';
import { appEventOf, endpointPath, httpEventOf, type IngressEvent } from './ingress-request.ts';

export interface EndpointOptions {
  resolveEndpoint(endpointId: string): Promise<OpenEndpoint | undefined>;
  quotas: Quotas;
  /** Resolved means durable. */
  sendTrigger(trigger: Trigger): Promise<void>;
  runSynchronously(trigger: RunTrigger, event: string): Promise<SynchronousAnswer>;
  now(): number;
}

const noEndpoint = () => new ServiceError('not_found', 'not_found', 'There is no such endpoint.');

/** A request to a source's endpoint: any method, any path behind it. Each is a trigger of its own, however equal. */
export function createEndpoint(services: EndpointOptions) {
  const notified = new Set<string>();

  return async (request: IngressEvent): Promise<SynchronousAnswer> => {
    const { endpointId, path } = endpointPath(request.rawPath) ?? {};
    const endpoint = endpointId === undefined ? undefined : await services.resolveEndpoint(endpointId);
    if (!endpoint || path === undefined) throw noEndpoint();
    await admit(endpoint);
    const json = endpoint.isApphook ? appEventOf(request) : httpEventOf(request, path);
    const trigger: RunTrigger = {
      kind: 'run',
      id: `http-${randomUUID()}`,
      emitterId: endpoint.sourceId,
      ownerId: endpoint.ownerId,
      at: services.now(),
      cause: 'http',
      payload: { json },
      hops: 0,
    };
    if (endpoint.customResponse) return services.runSynchronously(trigger, json);
    await services.sendTrigger(trigger);
    return SUCCESS;
  };

  async function admit(endpoint: OpenEndpoint): Promise<void> {
    const now = services.now();
    if (await services.quotas.isOver(endpoint.ownerId)) {
      await notify(endpoint, 'quota_exceeded', now);
      throw new ServiceError(
        'rate_limited',
        'quota_exceeded',
        "The daily quota of this source's owner is used up.",
        {
          retryAfterSeconds: secondsUntilReset(now),
        },
      );
    }
    const refusedMs = refusedForMs(endpoint.overloadedUntil, now);
    if (refusedMs === 0) return;
    await notify(endpoint, 'lagging', now);
    throw new ServiceError('rate_limited', 'lagging', 'The source is more than a minute behind.', {
      retryAfterSeconds: Math.ceil(refusedMs / 1_000),
    });
  }

  /** Once a day; each instance of this function may say so, and the first one is heard. */
  async function notify(
    { sourceId, ownerId }: OpenEndpoint,
    why: Skipped['why'],
    now: number,
  ): Promise<void> {
    const key = `${sourceId} ${dayOf(now)}`;
    if (notified.has(key)) return;
    if (notified.size > 10_000) notified.clear();
    notified.add(key);
    await services.sendTrigger(skipNotice({ sourceId, ownerId, why, sourceType: 'http', now }));
  }
}
