import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { positionOf } from '../domain/event-id.ts';
import { DeliveryMessage } from '../domain/message.ts';
import type { LoggedSuccess } from '../store/delivery-log-item.ts';
import { describeError, type Log } from './log.ts';
import { type BatchContext, failing, logBatch, parseBatch, type QueueMessage } from './queue.ts';
import type { AttemptCounts } from '../service/delivery/attempt-counts.ts';
import type { FanOut } from '../service/delivery/fan-out.ts';
import { createSuccessWriter } from '../service/delivery/success-writer.ts';

type Message = QueueMessage<DeliveryMessage>;

interface DeliverBatchOptions {
  deliver: FanOut;
  storeSuccesses(successes: readonly LoggedSuccess[], now: number): Promise<void>;
  attemptCounts: Pick<AttemptCounts, 'settle'>;
  log: Log;
  now(): number;
}

/** Groups events with the same listeners, which are matched together. */
function groupsOf(messages: readonly Message[]): Message[][] {
  const groups = new Map<string, Message[]>();
  for (const message of messages) {
    const { emitterId, stream, after } = message.message;
    const key = JSON.stringify([emitterId, stream, after]);
    const group = groups.get(key);
    if (group) group.push(message);
    else groups.set(key, [message]);
  }
  return [...groups.values()];
}

/** A message that was sent this long after its event came is a dead letter that was sent again: a run takes less time. */
const REDRIVEN_AFTER_MS = 600_000;

/** Whether a batch had the message before, and may have made or stored some of its deliveries. */
const isRepeated = ({ message, record: { attributes } }: Message): boolean =>
  Number(attributes.ApproximateReceiveCount) > 1 ||
  Number(attributes.SentTimestamp) - positionOf(message.eventId).ms > REDRIVEN_AFTER_MS;

export function createDeliverBatch({
  deliver,
  storeSuccesses,
  attemptCounts,
  log,
  now,
}: DeliverBatchOptions) {
  const writer = createSuccessWriter({ store: storeSuccesses, now });
  return async (event: SQSEvent, { awsRequestId: id }: BatchContext): Promise<SQSBatchResponse> => {
    const { messages, unreadable } = parseBatch(
      event,
      (body) => DeliveryMessage.parse(JSON.parse(body)),
      log,
    );
    const successes = writer.open();
    const repeated = new Set(messages.filter(isRepeated).map(({ message }) => message));
    const batch = {
      id,
      startedAt: now(),
      isRepeated: (message: DeliveryMessage) => repeated.has(message),
      log: (success: LoggedSuccess) => successes.add(success),
    };
    const failed = unreadable.map(({ messageId }) => messageId);
    await Promise.all(
      groupsOf(messages).map(async (group) => {
        try {
          await deliver(
            group.map(({ message }) => message),
            batch,
          );
        } catch (error) {
          failed.push(...group.map(({ record }) => record.messageId));
          const emitter = group[0]?.message.emitterId;
          log.warn('delivery.returned', { emitter, events: group.length, error: describeError(error) });
        }
      }),
    );
    try {
      await successes.end();
    } catch (error) {
      // Without the log the deliveries did not happen: they are made again, with the same ids.
      log.warn('delivery.unlogged', { events: messages.length, error: describeError(error) });
      failed.push(...messages.map(({ record }) => record.messageId));
    }
    await attemptCounts.settle();
    const returned = new Set(failed);
    logBatch(
      log,
      { id, ms: now() - batch.startedAt },
      { messages: event.Records.length, returned: returned.size },
    );
    return failing(returned);
  };
}
