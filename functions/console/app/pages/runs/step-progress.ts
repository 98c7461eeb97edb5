import type { Run } from '../../api/wire.ts';
import { deliveredCount, type DeliveriesOfEvent } from '../../events/delivered-count.ts';

export type StepProgress = 'done' | 'current' | 'open' | 'bad';

/** Two machines may have set the times, so the end may be before the start. */
export const durationText = (fromMs: number, toMs: number): string => `${Math.max(0, toMs - fromMs)} ms`;

export function runProgress({ state }: Pick<Run, 'state'>): StepProgress {
  if (state === 'waiting') return 'open';
  if (state === 'running') return 'current';
  return state === 'done' ? 'done' : 'bad';
}

/** How far the deliveries of a run's events are. */
export function deliveryStep(events: readonly DeliveriesOfEvent[]): { progress: StepProgress; text: string } {
  const found = deliveredCount(events);
  if (!found) return { progress: 'open', text: events.length === 0 ? '–' : 'no delivery to a webhook yet' };
  const { share, delivered, count, isLost } = found;
  return { progress: isLost ? 'bad' : delivered === count ? 'done' : 'current', text: share };
}
