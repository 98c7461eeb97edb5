import type { DrainLeases } from '../../store/deliveries/drain-leases.ts';
import type { RecoveryStore } from '../../store/deliveries/recoveries.ts';
import type { DeliveryServices } from '../delivery/delivery-services.ts';
import type { DeliveryBytesStore } from '../../store/deliveries/delivery-bytes.ts';
import type { KeepLogOptions } from '../webhooks/keep-log.ts';

/** The services of the queue `retries`. */
export interface RetryServices extends DeliveryServices, KeepLogOptions {
  webhooks: DeliveryServices['webhooks'];
  deliveryBytes: Pick<DeliveryBytesStore, 'forget'>;
  leases: DrainLeases;
  recoveries: RecoveryStore;
}
