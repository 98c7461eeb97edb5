import type { ScheduledTick } from './message.ts';

/** The trigger id of a timer tick, the same however often the tick arrives. ISO times hold characters that ids do not. */
export const tickId = ({
  sourceId,
  generation,
  scheduledAt,
}: Pick<ScheduledTick, 'sourceId' | 'generation' | 'scheduledAt'>): string =>
  `tick-${sourceId}-${generation}-${scheduledAt.replace(/[^A-Za-z0-9]/g, '_')}`;
