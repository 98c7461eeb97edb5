import type { EmitterId, UserId } from '../../domain/id.ts';
import type { Limits } from '../../domain/limits.ts';
import { createWindowCounts, WINDOW_MS, type WindowCountOptions } from './window-counts.ts';

export interface RequestRates {
  /**
   * Counts a request to an emitter's endpoint, or each event of one. False when the emitter, or its owner, had as many as a window allows; it
   * then counts nothing.
   */
  accept(emitterId: EmitterId, ownerId: UserId, events?: number): Promise<boolean>;
}

export interface RequestRateOptions extends Omit<WindowCountOptions, 'allowed'> {
  limits: Pick<Limits, 'sourceRequestRate' | 'userRequestRate'>;
}

const perWindow = (rate: number) => (rate * WINDOW_MS) / 1_000;

/** Limits the requests to endpoints, per emitter and per user, in all instances. */
export function createRequestRates({ limits, ...options }: RequestRateOptions): RequestRates {
  const ofEmitters = createWindowCounts<EmitterId>({
    ...options,
    allowed: perWindow(limits.sourceRequestRate),
  });
  const ofUsers = createWindowCounts<UserId>({ ...options, allowed: perWindow(limits.userRequestRate) });
  return {
    async accept(emitterId, ownerId, events = 1) {
      if (!ofEmitters.hasRoom(emitterId) || !ofUsers.hasRoom(ownerId)) return false;
      await Promise.all([ofEmitters.add(emitterId, events), ofUsers.add(ownerId, events)]);
      return true;
    },
  };
}
