import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { SetAside } from '../aws/letters/set-aside.ts';
import { positionOf } from '../domain/event/event-id.ts';
import { DeliveryMessage } from '../domain/run/message.ts';
import type { LoggedSuccess } from '../store/deliveries/delivery-log-item.ts';
import { describeError, type Log } from './log.ts';
import { type BatchContext, failing, logBatch, type QueueMessage, readBatch } from './queue.ts';
import type { AttemptCounts } from '../service/delivery/attempt-counts.ts';
import type { FanOut } from '../service/fan-out/fan-out.ts';
import { createSuccessWriter } from '../service/fan-out/success-writer.ts';

type Message = QueueMessage<DeliveryMessage>;

interface DeliverBatchOptions {
  deliver: FanOut;
  /** Deletes the payload of a message that is done. */
  release(message: DeliveryMessage): Promise<void>;
  storeSuccesses(successes: readonly LoggedSuccess[], now: number): Promise<void>;
  attemptCounts: Pick<AttemptCounts, 'settle'>;
  setAside: SetAside;
  log: Log;
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
  setAside,
  log,
  now,
}: DeliverBatchOptions) {
  const writer = createSuccessWriter({ store: storeSuccesses, now });
  return async (event: SQSEvent, { awsRequestId: id }: BatchContext): Promise<SQSBatchResponse> => {
    const { messages, returned: unreadable } = await readBatch(event, {
      parse: (body) => DeliveryMessage.parse(JSON.parse(body)),
      setAside,
      log,
    });
    const successes = writer.open();
    const repeated = new Set(messages.filter(isRepeated).map(({ message }) => message));
    const batch = {
      id,
      startedAt: now(),
      isRepeated: (message: DeliveryMessage) => repeated.has(message),
      log: (success: LoggedSuccess) => successes.add(success),
    };
    const returned = new Set(unreadable.map(({ messageId }) => messageId));
    const failures = await deliver(
      messages.map(({ message }) => message),
      batch,
    );
    for (const { message, record } of messages) {
      if (!failures.has(message)) continue;
      returned.add(record.messageId);
      const { emitterId: emitter, eventId } = message;
      log.warn('delivery.returned', { emitter, event: eventId, error: describeError(failures.get(message)) });
    }
    try {
      await successes.end();
    } catch (error) {
      // Without the log the deliveries did not happen: they are made again, with the same ids.
      log.warn('delivery.unlogged', { events: messages.length, error: describeError(error) });
      for (const { record } of messages) returned.add(record.messageId);
    }
    const done = messages.filter(({ record }) => !returned.has(record.messageId));
    await Promise.all(
      done.map(async ({ message, record }) => {
        try {
          await release(message);
        } catch (error) {
          // The repeated message finds its deliveries made, and releases the payload again.
          returned.add(record.messageId);
          log.warn('delivery.unreleased', { event: message.eventId, error: describeError(error) });
        }
      }),
    );
    await attemptCounts.settle();
    logBatch(log, { id, ms: now() - batch.startedAt }, { messages: event.Records.length, returned: returned.size });
    return failing(returned);
  };
}
