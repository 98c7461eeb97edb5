import { foundOrNone } from '../../api/refused-request.ts';
import { getRecovery } from '../../api/webhook-api.ts';
import type { Recovery } from '../../api/wire.ts';

/** The last job, or null when there was none. */
export const readLastRecovery = async (id: string): Promise<Recovery | null> =>
  (await foundOrNone(getRecovery(id)))?.data ?? null;

const STORAGE_KEY = 'tributary.recoveries';

/**
 * The webhooks with a recovery that this tab started. It is kept in the tab's session storage, so that a reload shows
 * the progress.
 */
export const startedHere = {
  has: (id: string): boolean => idsHere().includes(id),
  add(id: string): void {
    sessionStorage.setItem(STORAGE_KEY, [...idsHere().filter((each) => each !== id), id].slice(-100).join(' '));
  },
};

const idsHere = (): string[] => (sessionStorage.getItem(STORAGE_KEY) ?? '').split(' ');
