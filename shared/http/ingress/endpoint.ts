import { randomUUID } from 'node:crypto';
import { type Quotas, secondsUntilReset } from '../../service/admission/quotas.ts';
import { SUCCESS, type SyncAnswer } from '../../service/runs/synchronous-run.ts';
import { ServiceError } from '../../domain/errors.ts';
import { shutForMs } from '../../domain/overload.ts';
import type { RunTrigger, Trigger } from '../../domain/message.ts';
import { skipNotice, type Skipped } from '../../domain/skip-notice.ts';
import { dayOf } from '../../domain/user.ts';
import type { Door } from '../../service/sources/endpoint-resolver.ts';
import { appEventOf, endpointPath, eventOf, type IngressEvent } from './ingress-request.ts';

export interface EndpointServices {
  findDoor(endpointId: string): Promise<Door | undefined>;
  quotas: Quotas;
  /** Resolved means durable. */
  sendTrigger(trigger: Trigger): Promise<void>;
  runAtOnce(trigger: RunTrigger, event: string): Promise<SyncAnswer>;
  now(): number;
}

const noEndpoint = () => new ServiceError('not_found', 'not_found', 'There is no such endpoint.');

/** A request to a source's endpoint: any method, any path behind it. Each is a trigger of its own, however equal. */
export function endpoint(services: EndpointServices) {
  const told = new Set<string>();

  return async (request: IngressEvent): Promise<SyncAnswer> => {
    const { endpointId, path } = endpointPath(request.rawPath) ?? {};
    const door = endpointId === undefined ? undefined : await services.findDoor(endpointId);
    if (!door || path === undefined) throw noEndpoint();
    await admit(door);
    const json = door.isApphook ? appEventOf(request) : eventOf(request, path);
    const trigger: RunTrigger = {
      kind: 'run',
      id: `http-${randomUUID()}`,
      emitterId: door.sourceId,
      ownerId: door.ownerId,
      at: services.now(),
      cause: 'http',
      payload: { json },
      hops: 0,
    };
    if (door.customResponse) return services.runAtOnce(trigger, json);
    await services.sendTrigger(trigger);
    return SUCCESS;
  };

  async function admit(door: Door): Promise<void> {
    const now = services.now();
    if (await services.quotas.isOver(door.ownerId)) {
      await tell(door, 'quota_exceeded', now);
      throw new ServiceError(
        'rate_limited',
        'quota_exceeded',
        "The daily quota of this source's owner is used up.",
        {
          retryAfterSeconds: secondsUntilReset(now),
        },
      );
    }
    const shutMs = shutForMs(door.laggingUntil, now);
    if (shutMs === 0) return;
    await tell(door, 'lagging', now);
    throw new ServiceError('rate_limited', 'lagging', 'The source is more than a minute behind.', {
      retryAfterSeconds: Math.ceil(shutMs / 1_000),
    });
  }

  /** Once a day; each instance of this function may say so, and the first one is heard. */
  async function tell({ sourceId, ownerId }: Door, why: Skipped['why'], now: number): Promise<void> {
    const key = `${sourceId} ${dayOf(now)}`;
    if (told.has(key)) return;
    if (told.size > 10_000) told.clear();
    told.add(key);
    await services.sendTrigger(skipNotice({ sourceId, ownerId, why, sourceType: 'http', now }));
  }
}
