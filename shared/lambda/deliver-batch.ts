import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { positionOf } from '../domain/event/event-id.ts';
import { DeliveryMessage } from '../domain/run/message.ts';
import type { LoggedSuccess } from '../store/deliveries/delivery-log-item.ts';
import { describeError } from './log.ts';
import {
  type BatchContext,
  type FailureOptions,
  failedMessage,
  failing,
  logBatch,
  type QueueMessage,
  readBatch,
  returnFailed,
} from './queue.ts';
import type { AttemptCounts } from '../service/delivery/attempt-counts.ts';
import type { FanOut } from '../service/fan-out/fan-out.ts';
import { createSuccessWriter } from '../service/fan-out/success-writer.ts';

type Message = QueueMessage<DeliveryMessage>;

interface DeliverBatchOptions extends FailureOptions {
  deliver: FanOut;
  /** Deletes the payload of a message that is done. */
  release(message: DeliveryMessage): Promise<void>;
  storeSuccesses(successes: readonly LoggedSuccess[], now: number): Promise<void>;
  attemptCounts: Pick<AttemptCounts, 'settle'>;
  now(): number;
}

/**
 * A message that was sent this long after its event came is a dead letter that was sent again: a run takes less time.
 */
const REDRIVEN_AFTER_MS = 600_000;

/** Whether a batch had the message before, and may have made or stored some of its deliveries. */
const isRepeated = ({ message, record: { attributes } }: Message): boolean =>
  Number(attributes.ApproximateReceiveCount) > 1 ||
  Number(attributes.SentTimestamp) - positionOf(message.eventId).ms > REDRIVEN_AFTER_MS;

export function createDeliverBatch({
  deliver,
  release,
  storeSuccesses,
  attemptCounts,
  now,
  ...options
}: DeliverBatchOptions) {
  const { log } = options;
  const writer = createSuccessWriter({ store: storeSuccesses, now });
  return async (event: SQSEvent, { awsRequestId: id }: BatchContext): Promise<SQSBatchResponse> => {
    const { messages, returned: unreadable } = await readBatch(event, {
      ...options,
      parse: (body) => DeliveryMessage.parse(JSON.parse(body)),
    });
    const successes = writer.open();
    const repeated = new Set(messages.filter(isRepeated).map(({ message }) => message));
    const batch = {
      id,
      startedAt: now(),
      isRepeated: (message: DeliveryMessage) => repeated.has(message),
      log: (success: LoggedSuccess) => successes.add(success),
    };
    const failed = new Set<SQSRecord>();
    const failures = await deliver(
      messages.map(({ message }) => message),
      batch,
    );
    for (const { message, record } of messages) {
      if (!failures.has(message)) continue;
      failed.add(record);
      const { emitterId: emitter, eventId } = message;
      log.warn('delivery.returned', { emitter, event: eventId, error: describeError(failures.get(message)) });
    }
    try {
      await successes.end();
    } catch (error) {
      // Without the log the deliveries did not happen: they are made again, with the same ids.
      log.warn('delivery.unlogged', { events: messages.length, error: describeError(error) });
      for (const { record } of messages) failed.add(record);
    }
    const done = messages.filter(({ record }) => !failed.has(record));
    await Promise.all(
      done.map(async ({ message, record }) => {
        try {
          await release(message);
        } catch (error) {
          // The repeated message finds its deliveries made, and releases the payload again.
          failed.add(record);
          log.warn('delivery.unreleased', { event: message.eventId, error: describeError(error) });
        }
      }),
    );
    await attemptCounts.settle();
    const returned = [...unreadable, ...(await returnFailed([...failed].map(failedMessage), options))];
    logBatch(log, { id, ms: now() - batch.startedAt }, { messages: event.Records.length, returned: returned.length });
    return failing(returned);
  };
}
