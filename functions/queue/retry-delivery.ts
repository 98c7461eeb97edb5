import { RetryMessage } from '../../shared/domain/run/message.ts';
import { eachMessage } from '../../shared/lambda/queue.ts';
import { retryDeliveryServices } from '../../shared/lambda/wiring/delivery-wiring.ts';
import { createRetryHandler } from '../../shared/service/retries/retry-handler.ts';

const { setAside, receipts, log, ...services } = retryDeliveryServices();

/** Handles messages of the queue `retries`. */
export const handler = eachMessage({
  parse: (body) => RetryMessage.parse(JSON.parse(body)),
  handle: (message, batch) =>
    createRetryHandler({
      ...services,
      writeLine: (line, fields) => log.info(line, () => ({ batch, ...fields() })),
    })(message),
  onEnd: services.attemptCounts.settle,
  setAside,
  receipts,
  log,
});
