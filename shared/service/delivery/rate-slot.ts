import { setTimeout as pause } from 'node:timers/promises';
import { isWebhookId, type ListenerId } from '../../domain/id.ts';
import type { DeliveryServices } from './delivery-services.ts';

/** A listener with or without a limit of attempts per second. */
export interface RateLimited {
  listenerId: ListenerId;
  rateLimit: number | null;
}

/** Attempts that begin this late still keep the limit, because slots lie further apart than the limit demands. */
const LATEST_MS = 25;

/**
 * The times at which attempts may begin: fewer than `count` when the next ones are beyond the horizon. 0 stands for
 * now.
 */
export async function reserveRate(
  { slots, now }: Pick<DeliveryServices, 'slots' | 'now'>,
  { listenerId, rateLimit }: RateLimited,
  { count, horizonMs }: { count: number; horizonMs: number },
): Promise<number[]> {
  if (rateLimit === null || !isWebhookId(listenerId)) return Array.from({ length: count }, () => 0);
  return slots.reserve({ webhookId: listenerId, perSecond: rateLimit, count, now: now(), horizonMs });
}

/**
 * Waits for a reserved time. A time that was missed is void and replaced; false when the replacement is beyond the
 * horizon.
 */
export async function waitForRate(
  services: Pick<DeliveryServices, 'slots' | 'now'>,
  limited: RateLimited,
  { slot, horizonMs }: { slot: number; horizonMs: number },
): Promise<boolean> {
  if (limited.rateLimit === null) return true;
  for (let time: number | undefined = slot; time !== undefined;) {
    if (time > services.now()) await pause(time - services.now());
    if (services.now() - time <= LATEST_MS) return true;
    [time] = await reserveRate(services, limited, { count: 1, horizonMs });
  }
  return false;
}
