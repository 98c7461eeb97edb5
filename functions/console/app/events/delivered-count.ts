import type { ShownWholeEvent } from '../api/wire.ts';

export type DeliveryState = ShownWholeEvent['deliveries'][number]['status'];

export interface DeliveriesOfEvent {
  deliveries: readonly { status: DeliveryState }[];
}

interface DeliveredCount {
  /** `3 of 4, 1 failed`, below a heading that says “delivered”. */
  share: string;
  /** `3 of 4 delivered, 1 failed`. */
  text: string;
  delivered: number;
  count: number;
  /** Whether a delivery was given up. */
  isLost: boolean;
}

/** How many of the deliveries of events have arrived; undefined without deliveries. */
export function deliveredCount(events: readonly DeliveriesOfEvent[]): DeliveredCount | undefined {
  const statuses = events.flatMap(({ deliveries }) => deliveries.map(({ status }) => status));
  if (statuses.length === 0) return undefined;
  const countOf = (wanted: DeliveryState) => statuses.filter((status) => status === wanted).length;
  const lost = (['failed', 'discarded'] as const).flatMap((status) =>
    countOf(status) === 0 ? [] : [`${countOf(status)} ${status}`],
  );
  const delivered = countOf('delivered');
  const share = `${delivered} of ${statuses.length}`;
  return {
    share: [share, ...lost].join(', '),
    text: [`${share} delivered`, ...lost].join(', '),
    delivered,
    count: statuses.length,
    isLost: lost.length > 0,
  };
}

const SETTLED: readonly DeliveryState[] = ['delivered', 'failed', 'discarded'];

/** Whether no attempt of the known deliveries will come. An event without deliveries may get some. */
export const isSettled = ({ deliveries }: DeliveriesOfEvent): boolean =>
  deliveries.length > 0 && deliveries.every(({ status }) => SETTLED.includes(status));
