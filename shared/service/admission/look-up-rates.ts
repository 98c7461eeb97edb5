import { ServiceError } from '../../domain/errors.ts';
import type { UserId } from '../../domain/id.ts';
import { createWindowCounts, secondsUntilNextWindow, type WindowCountOptions } from './window-counts.ts';

/** Streams and webhooks that look-ups by an id ask for one user in a window. */
export const MAX_LOOKED_UP = 10_000;
/** Counted for each look-up besides: it lists the streams or webhooks of the user. */
export const LISTED = 100;

/** Look-ups by an id, which ask each stream or webhook of the user. */
export type LookUpRates = ReturnType<typeof createLookUpRates>;

/**
 * Limits the reads of look-ups per user, in all instances. One look-up may exceed the limit, so that each user can make
 * one.
 */
export function createLookUpRates(options: Omit<WindowCountOptions, 'allowed'>) {
  const ofUsers = createWindowCounts<UserId>({ ...options, allowed: MAX_LOOKED_UP });
  return {
    /**
     * Counts streams or webhooks before they are asked. Throws, and counts nothing, when those of the window are used
     * up.
     */
    async admit(ownerId: UserId, asked: number): Promise<void> {
      if (ofUsers.used(ownerId) < MAX_LOOKED_UP) return ofUsers.add(ownerId, asked);
      throw new ServiceError(
        'rate_exceeded',
        `Look-ups by an id alone ask at most ${MAX_LOOKED_UP} streams and webhooks of a user in 10 s. Try again after Retry-After, or name the source or webhook.`,
        { retryAfterSeconds: secondsUntilNextWindow(options.now()) },
      );
    },
  };
}
