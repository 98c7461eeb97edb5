import type { EmitterId, UserId } from '../../domain/id.ts';
import type { Limits } from '../../domain/limits.ts';
import { hasFairShare } from '../../lib/sharing/fair-share.ts';
import { createWindowCounts, WINDOW_MS, type WindowCountOptions } from './window-counts.ts';

export type RequestRates = ReturnType<typeof createRequestRates>;

export interface RequestRateOptions extends Omit<WindowCountOptions, 'allowed'> {
  limits: Pick<Limits, 'sourceRequestRate' | 'userRequestRate'>;
  isOnlyEmitter(ownerId: UserId): Promise<boolean>;
}

const perWindow = (rate: number) => (rate * WINDOW_MS) / 1_000;

/** Limits the requests to endpoints, per emitter and per user, in all instances. */
export function createRequestRates({ limits, isOnlyEmitter, ...options }: RequestRateOptions) {
  const ofEmitter = perWindow(limits.sourceRequestRate);
  const limit = perWindow(limits.userRequestRate);
  const ofEmitters = createWindowCounts<EmitterId>({ ...options, allowed: ofEmitter });
  const ofUsers = createWindowCounts<UserId>({ ...options, allowed: limit });
  return {
    /**
     * Counts a request to an emitter's endpoint, or each event of one. False, and counts nothing, when the emitter had
     * as many as a window allows, or has no share of its owner's any more.
     */
    async accept(emitterId: EmitterId, ownerId: UserId, events = 1): Promise<boolean> {
      const mayAccept = (isOnly: boolean) => {
        const usedByOne = ofEmitters.used(emitterId);
        const use = { limit, usedByAll: ofUsers.used(ownerId), usedByOne };
        return usedByOne < ofEmitter && hasFairShare(use, isOnly);
      };
      // Most requests are counted before another one is looked at.
      if (!mayAccept(false) && !(mayAccept(true) && (await isOnlyEmitter(ownerId)) && mayAccept(true))) return false;
      await Promise.all([ofEmitters.add(emitterId, events), ofUsers.add(ownerId, events)]);
      return true;
    },
  };
}
