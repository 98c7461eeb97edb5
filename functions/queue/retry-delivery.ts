import { RetryMessage } from '../../shared/domain/message.ts';
import { eachMessage } from '../../shared/lambda/queue.ts';
import { retryDeliveryServices } from '../../shared/lambda/services.ts';
import { createRetry } from '../../shared/service/delivery/retry.ts';

const { log, ...services } = retryDeliveryServices();

/** Handles messages of the queue `retries`. */
export const handler = eachMessage({
  parse: (body) => RetryMessage.parse(JSON.parse(body)),
  handle: createRetry(services),
  log,
});
