import type { RetryMessage } from '../../domain/message.ts';
import { createDrain, type DrainOptions } from './drain.ts';
import { createHold, type HoldOptions } from './hold.ts';
import { createKeepLog, type KeepLogOptions } from '../webhooks/keep-log.ts';
import { createProbe, type ProbeOptions } from './probe.ts';
import { createRecover, type RecoverOptions } from './recover.ts';
import { createRedeliver, type RedeliverOptions } from './redeliver.ts';
import { createRetry, type RetryOptions } from './retry.ts';

type RetryHandlerOptions = DrainOptions &
  HoldOptions &
  KeepLogOptions &
  ProbeOptions &
  RecoverOptions &
  RedeliverOptions &
  RetryOptions;

/** Handles every kind of message of the queue `retries`. */
export function createRetryHandler(options: RetryHandlerOptions) {
  const [retry, redeliver, probe] = [createRetry(options), createRedeliver(options), createProbe(options)];
  const [drain, hold, recover] = [createDrain(options), createHold(options), createRecover(options)];
  const keep = createKeepLog(options);

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
      case 'keep':
        return keep(message);
      case 'recover':
        return recover(message);
    }
  };
}
