import type { Run, ShownWholeEvent } from '../../api/wire.ts';

export type StepProgress = 'done' | 'current' | 'open' | 'bad';

/** Two machines may have set the times, so the end may be before the start. */
export const durationText = (fromMs: number, toMs: number): string => `${Math.max(0, toMs - fromMs)} ms`;

export function runProgress({ state }: Pick<Run, 'state'>): StepProgress {
  if (state === 'waiting') return 'open';
  if (state === 'running') return 'current';
  return state === 'done' ? 'done' : 'bad';
}

export type DeliveryState = ShownWholeEvent['deliveries'][number]['status'];

interface DeliveriesOfEvent {
  deliveries: readonly { status: DeliveryState }[];
}

/** How far the deliveries of a run's events are. */
export function deliveryStep(events: readonly DeliveriesOfEvent[]): { progress: StepProgress; text: string } {
  const statuses = events.flatMap(({ deliveries }) => deliveries.map(({ status }) => status));
  if (statuses.length === 0)
    return { progress: 'open', text: events.length === 0 ? '–' : 'no delivery to a webhook yet' };
  const count = (wanted: DeliveryState) => statuses.filter((status) => status === wanted).length;
  const lost = (['failed', 'discarded'] as const).flatMap((status) =>
    count(status) === 0 ? [] : [`${count(status)} ${status}`],
  );
  const delivered = count('delivered');
  return {
    progress: lost.length > 0 ? 'bad' : delivered === statuses.length ? 'done' : 'current',
    text: [`${delivered} of ${statuses.length} delivered`, ...lost].join(', '),
  };
}

const SETTLED: readonly DeliveryState[] = ['delivered', 'failed', 'discarded'];

/** Whether no attempt of the known deliveries will come. An event without deliveries may get some. */
export const isSettled = ({ deliveries }: DeliveriesOfEvent): boolean =>
  deliveries.length > 0 && deliveries.every(({ status }) => SETTLED.includes(status));
