import type { ScheduledTick } from './message.ts';

/**
 * The trigger id of a timer tick; the same for a repeated tick. Characters of the ISO time that ids do not allow are
 * replaced.
 */
export const tickId = ({
  sourceId,
  generation,
  scheduledAt,
}: Pick<ScheduledTick, 'sourceId' | 'generation' | 'scheduledAt'>): string =>
  `tick-${sourceId}-${generation}-${scheduledAt.replace(/[^A-Za-z0-9]/g, '_')}`;
