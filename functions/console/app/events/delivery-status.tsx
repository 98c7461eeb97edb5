import type { Delivery } from '../api/wire.ts';
import { Badge, type Tone } from '../components/badge.tsx';

const TONES: Readonly<Record<Delivery['status'], Tone>> = {
  pending: 'plain',
  delivered: 'ok',
  retrying: 'warn',
  failed: 'bad',
  held: 'warn',
  discarded: 'bad',
};
export const STATUSES = [
  'pending',
  'delivered',
  'retrying',
  'failed',
  'held',
  'discarded',
] as const satisfies readonly Delivery['status'][];

export const DeliveryStatus = ({ status }: { status: Delivery['status'] }) => (
  <Badge tone={TONES[status]}>{status}</Badge>
);

/** The shown name of a stream. */
export const streamName = (eventName: string): string => {
  if (eventName === '$test') return 'test';
  return eventName === '' ? 'default' : eventName;
};
