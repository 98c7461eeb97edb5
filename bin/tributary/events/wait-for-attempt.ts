import type { Api } from '../session/api.ts';
import { DeliveryWithAttempts } from '../session/response-schemas.ts';
import { type PollOptions, pollUntil } from './poll-until.ts';

/** Waits until a delivery has more attempts than before. Undefined when none has ended after the longest wait. */
export async function waitForAttempt(
  api: Pick<Api, 'get'>,
  { path, attempts, onSlow }: { path: string; attempts: number; onSlow?: () => Promise<void> },
  options?: PollOptions,
): Promise<DeliveryWithAttempts | undefined> {
  const hasEnded = (delivery: DeliveryWithAttempts) => delivery.attempts > attempts;
  const delivery = await pollUntil({ read: () => api.get(path, DeliveryWithAttempts), hasEnded, onSlow }, options);
  return hasEnded(delivery) ? delivery : undefined;
}
