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
export const STATUSES = Object.keys(TONES);

export const DeliveryStatus = ({ status }: { status: Delivery['status'] }) => (
  <Badge tone={TONES[status]}>{status}</Badge>
);
