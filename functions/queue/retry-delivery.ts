import { RetriesMessage } from '../../shared/domain/run/message.ts';
import { eachMessage } from '../../shared/lambda/queue.ts';
import { retryDeliveryServices } from '../../shared/lambda/wiring/delivery-wiring.ts';
import { createRetryHandler } from '../../shared/service/retries/retry-handler.ts';
import { isFresh } from '../../shared/service/timers/heartbeat.ts';

const { setAside, receipts, log, sendJobs, ...services } = retryDeliveryServices();

/** Handles messages of the queue `retries`. */
export const handler = eachMessage({
  parse: (body) => RetriesMessage.parse(JSON.parse(body)),
  handle: async (message, batch) => {
    if (message.kind !== 'heartbeat')
      return createRetryHandler({
        ...services,
        writeLine: (line, fields) => log.info(line, () => ({ batch, ...fields() })),
      })(message);
    if (isFresh(message, services.now())) await sendJobs([{ message, delaySeconds: 0 }]);
  },
  onEnd: services.attemptCounts.settle,
  setAside,
  receipts,
  log,
});
