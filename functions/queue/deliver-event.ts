import { releasePayload } from '../../shared/aws/payloads.ts';
import { createDeliverBatch } from '../../shared/lambda/deliver-batch.ts';
import { deliverEventServices } from '../../shared/lambda/wiring/delivery-wiring.ts';
import { createFanOut } from '../../shared/service/fan-out/fan-out.ts';

const { storeSuccesses, setAside, receipts, log, ...services } = deliverEventServices();

/** Handles messages of the queue `deliveries`. */
export const handler = createDeliverBatch({
  deliver: createFanOut(services),
  release: ({ payload }) => releasePayload(services.bucket, payload),
  storeSuccesses,
  attemptCounts: services.attemptCounts,
  setAside,
  receipts,
  log,
  now: services.now,
});
