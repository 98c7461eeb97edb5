import { HOUR_MS, MINUTE_MS } from '../../lib/durations.ts';
import type { Notice } from '../../domain/notice/notice.ts';
import { errorsNotice } from '../../domain/notice/source-notices.ts';
import type { Source } from '../../domain/source/source.ts';
import type { EmitterState } from '../../store/emitters/emitters.ts';
import type { Planned } from '../commit/number-events.ts';

interface ErrorNotice {
  /** Set for the first failed run after an hour without. */
  notice?: Notice;
  lastErrorMinute?: number;
}

/**
 * The notice of the failed runs among the results of a source. Its state is written with them, so that no write is
 * added.
 */
export function errorNotice(
  { id, ownerId, configuration: { name } }: Pick<Source, 'id' | 'ownerId' | 'configuration'>,
  { state, planned }: { state: Pick<EmitterState, 'lastErrorMinute'>; planned: readonly Planned[] },
  now: number,
): ErrorNotice {
  const failed = planned.find(({ ended }) => ended?.state === 'failed');
  if (!failed) return {};
  const lastErrorMinute = Math.floor(now / MINUTE_MS);
  const minutesWithout = lastErrorMinute - (state.lastErrorMinute ?? -Infinity);
  if (minutesWithout < HOUR_MS / MINUTE_MS) return { lastErrorMinute };
  return { lastErrorMinute, notice: errorsNotice({ id, ownerId, name }, failed.ended?.error, now) };
}
