import type { Bucket } from '../../aws/bucket.ts';
import type { DeliveryMessage, Trigger } from '../../domain/run/message.ts';
import type { Admission } from '../admission/admission.ts';
import type { DropEvents } from '../admission/drop-events.ts';
import type { FanOutStore } from '../../store/events/fan-outs.ts';
import type { DeliveryServices } from '../delivery/delivery-services.ts';

/** The services of the queue `deliveries`. */
export interface FanOutServices extends DeliveryServices {
  bucket: DeliveryServices['bucket'] & Pick<Bucket, 'copyIfPresent' | 'delete'>;
  fanOuts: Pick<FanOutStore, 'unmark'>;
  admission: Admission;
  dropEvents: DropEvents;
  sendTriggers(triggers: readonly Trigger[]): Promise<void>;
  sendDeliveries(messages: readonly DeliveryMessage[]): Promise<void>;
  /** First attempts of this process at the same time. */
  maxUnderWay?: number | undefined;
}
