import type { Schedule } from '../../aws/schedules.ts';
import type { EventId } from '../../domain/event/event-id.ts';
import type { EmitterId, UserId } from '../../domain/id.ts';
import { messageText } from '../../domain/run/message-text.ts';
import type { EmitTrigger } from '../../domain/run/message.ts';
import type { DelayedTo } from '../../store/events/event-item.ts';

/** 61 characters at most; the scheduler accepts 64. */
export const delayedEmitName = (emitterId: EmitterId, id: EventId): string => `in-${emitterId}-${id}`;

/** The latest date that a schedule expression accepts. */
const LATEST = Date.UTC(9999, 11, 31);

/**
 * The schedule of an event that waits on stream `$in`. It names the event and holds none of it. An event that was due
 * before `at` is emitted then: the scheduler accepts no time in the past.
 */
export function delayedEmitSchedule(
  { emitterId, ownerId }: { emitterId: EmitterId; ownerId: UserId },
  { id, emitId, delayedTo }: { id: EventId; emitId: string; delayedTo: DelayedTo },
  { runsQueueArn, at }: { runsQueueArn: string; at: number },
): Schedule {
  const { stream, deliveryTs, ...chain } = delayedTo;
  const trigger: EmitTrigger = {
    kind: 'emit',
    id: `held-${emitId}`,
    emitterId,
    ownerId,
    at,
    stream,
    ...chain,
    delayedEventId: id,
  };
  return {
    name: delayedEmitName(emitterId, id),
    when: { at: new Date(Math.min(Math.max(deliveryTs, at), LATEST)) },
    queueArn: runsQueueArn,
    groupId: emitterId,
    input: messageText(trigger),
  };
}
