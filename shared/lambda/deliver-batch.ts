import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { DeliveryMessage } from '../domain/message.ts';
import { describeError, type Log } from './log.ts';
import { failing, parseBatch, type QueueMessage } from './queue.ts';
import type { FanOut } from '../service/delivery/fan-out.ts';

type Message = QueueMessage<DeliveryMessage>;

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

export const createDeliverBatch =
  ({ deliver, log, now }: { deliver: FanOut; log: Log; now(): number }) =>
  async (event: SQSEvent): Promise<SQSBatchResponse> => {
    const startedAt = now();
    const { messages, unreadable } = parseBatch(
      event,
      (body) => DeliveryMessage.parse(JSON.parse(body)),
      log,
    );
    const failed = unreadable.map(({ messageId }) => messageId);
    await Promise.all(
      groupsOf(messages).map(async (group) => {
        try {
          await deliver(
            group.map(({ message }) => message),
            startedAt,
          );
        } catch (error) {
          failed.push(...group.map(({ record }) => record.messageId));
          const emitter = group[0]?.message.emitterId;
          log.warn('delivery.returned', { emitter, events: group.length, error: describeError(error) });
        }
      }),
    );
    return failing(failed);
  };
