import type { RetryMessage } from '../../domain/run/message.ts';
import { createKeepLog } from '../webhooks/keep-log.ts';
import { createDrain } from './drain.ts';
import { createForget } from './forget.ts';
import { createHold } from './hold.ts';
import { createProbe } from './probe.ts';
import { createRecover } from './recover.ts';
import { createRetry, type RetryServices } from './retry.ts';
import { createRedeliver } from './redeliver.ts';

/** Handles every kind of message of the queue `retries`. */
export function createRetryHandler(services: RetryServices) {
  const [retry, redeliver, probe] = [createRetry(services), createRedeliver(services), createProbe(services)];
  const [drain, hold, recover] = [createDrain(services), createHold(services), createRecover(services)];
  const [keep, forget] = [createKeepLog(services), createForget(services)];

  return (message: RetryMessage): Promise<void> => {
    switch (message.kind) {
      case 'retry':
        return retry(message);
      case 'redeliver':
        return redeliver(message);
      case 'probe':
        return probe(message);
      case 'drain':
        return drain(message);
      case 'hold':
        return hold(message);
      case 'forget':
        return forget(message);
      case 'keep':
        return keep(message);
      case 'recover':
        return recover(message);
    }
  };
}
