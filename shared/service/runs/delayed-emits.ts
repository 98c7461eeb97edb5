import type { Bucket } from '../../aws/bucket.ts';
import type { Schedules } from '../../aws/schedules.ts';
import { delayedEmitKey } from '../../aws/object-keys.ts';
import { messageText } from '../../domain/message-text.ts';
import type { EventId } from '../../domain/event-id.ts';
import type { EmitterId, UserId } from '../../domain/id.ts';
import type { EmitTrigger } from '../../domain/message.ts';
import { LARGEST_INLINE_BYTES, type Payload } from '../../domain/payload.ts';
import { DELAYED_STREAM } from '../../domain/stream.ts';
import type { EventStore } from '../../store/events.ts';
import type { Numbered } from './number-events.ts';

/** Emits with a `delivery_ts`, stored on stream `$in` until they are due. Deleting all events of the emitter cancels them. */
export interface DelayedEmits {
  schedule(emitter: { emitterId: EmitterId; ownerId: UserId }, event: Numbered): Promise<void>;
  /** False once the event was deleted from `$in` or was emitted. */
  isPending(emitterId: EmitterId, delayedEventId: EventId): Promise<boolean>;
  /** Removes the event from `$in` after it was emitted. */
  complete(emitterId: EmitterId, delayedEventId: EventId): Promise<void>;
}

export interface DelayedEmitsOptions {
  events: EventStore;
  schedules: Schedules;
  bucket: Pick<Bucket, 'putText'>;
  runsQueueArn: string;
  now(): number;
}

/** Limit of EventBridge Scheduler: 256 KB of input. */
const LARGEST_INPUT_BYTES = LARGEST_INLINE_BYTES;
/** The latest date that a schedule expression accepts. */
const LATEST = Date.UTC(9999, 11, 31);

export function createDelayedEmits({
  events,
  schedules,
  bucket,
  runsQueueArn,
  now,
}: DelayedEmitsOptions): DelayedEmits {
  /** Large payloads are stored under the emitter's own prefix: a delayed emit may outlive the 14 days of `payloads/`. */
  async function payloadOf(emitterId: EmitterId, id: EventId, json: string): Promise<Payload> {
    if (Buffer.byteLength(json) * 2 <= LARGEST_INPUT_BYTES) return { json };
    const key = delayedEmitKey(emitterId, id);
    await bucket.putText(key, json);
    return { key };
  }

  return {
    async schedule({ emitterId, ownerId }, { planned, stored, chain }) {
      await events.store(emitterId, [{ ...stored, stream: DELAYED_STREAM }], []);
      const trigger: EmitTrigger = {
        kind: 'emit',
        id: `held-${stored.emitId}`,
        emitterId,
        ownerId,
        at: now(),
        stream: planned.stream,
        payload: await payloadOf(emitterId, stored.id, planned.json),
        ...chain,
        emit: {
          ...(planned.ownId === undefined ? {} : { id: planned.ownId }),
          ...(planned.summary === undefined ? {} : { summary: planned.summary }),
          ...(planned.ts === undefined ? {} : { ts: planned.ts }),
        },
        delayedEventId: stored.id,
      };
      await schedules.create({
        name: `in-${emitterId}-${stored.id}`.slice(0, 64),
        when: { at: new Date(Math.min(planned.deliveryTs ?? 0, LATEST)) },
        queueArn: runsQueueArn,
        groupId: emitterId,
        input: messageText(trigger),
      });
    },

    isPending: async (emitterId, id) => (await events.find(emitterId, DELAYED_STREAM, id)) !== undefined,

    async complete(emitterId, id) {
      const found = await events.find(emitterId, DELAYED_STREAM, id);
      if (found) await events.store(emitterId, [], [{ stream: DELAYED_STREAM, id, body: found.body }]);
    },
  };
}
