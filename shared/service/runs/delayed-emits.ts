import type { Schedules } from '../../aws/schedules.ts';
import type { Bucket } from '../../aws/bucket.ts';
import { delayedEmitKey } from '../../aws/object-keys.ts';
import type { EventId } from '../../domain/event/event-id.ts';
import type { EmitterId, UserId } from '../../domain/id.ts';
import { MAX_DELAYED_EMITS } from '../../domain/limits.ts';
import { DELAYED_STREAM } from '../../domain/event/stream.ts';
import type { DelayedEmitStore, DelayedEvent, DelayedLimit } from '../../store/waiting-emits.ts';
import type { EventRef } from '../../store/event-item.ts';
import { settleAll } from '../../lib/settle-all.ts';
import { delayedEmitName, delayedEmitSchedule } from '../schedules/delayed-emit-schedule.ts';
import type { Numbered } from '../commit/number-events.ts';

interface Emitter {
  emitterId: EmitterId;
  ownerId: UserId;
}

/**
 * Emits with a `delivery_ts`, stored on stream `$in` until they are due. A schedule names the event and holds none of it. Event, count and
 * schedule go together: when the event is emitted or deleted, and with its emitter.
 */
export interface DelayedEmits {
  /** Schedules the events that the limits allow, in order. Nothing is stored of the others. */
  schedule(emitter: Emitter, events: readonly Numbered[]): Promise<Refused | undefined>;
  /** Undefined once the event was deleted from `$in` or was emitted. */
  find(emitterId: EmitterId, delayedEventId: EventId): Promise<DelayedEvent | undefined>;
  /** Removes the event from `$in` after it was emitted. */
  complete(emitter: Emitter, delayedEventId: EventId): Promise<void>;
  /** Removes the count of a deleted emitter. */
  forget(emitterId: EmitterId): Promise<void>;
  /** Removes events from `$in` with their schedules. */
  cancel(emitter: Emitter, events: readonly EventRef[]): Promise<void>;
}

export interface Refused {
  count: number;
  first: Numbered;
  limit: DelayedLimit;
}

export interface DelayedEmitsOptions {
  waiting: DelayedEmitStore;
  schedules: Pick<Schedules, 'create' | 'delete'>;
  bucket: Pick<Bucket, 'delete'>;
  runsQueueArn: string;
  now(): number;
}

/** Events that are scheduled or cancelled at the same time. */
const AT_ONCE = 8;

/** Explains a refusal in an `$errors` event. */
export const refusalText = ({ count, limit }: Refused): string =>
  `${limit === 'source' ? 'A source' : 'A user'} may have at most ${MAX_DELAYED_EMITS[limit]} emits that wait for their delivery_ts. ` +
  `Dropped emits of this run: ${count}. Emit again when some of them were delivered.`;

export function createDelayedEmits(options: DelayedEmitsOptions): DelayedEmits {
  const { waiting, schedules, bucket, runsQueueArn, now } = options;

  async function scheduleOne(
    emitter: Emitter,
    { planned, stored, encoded, chain }: Numbered,
  ): Promise<DelayedLimit | undefined> {
    const delayedTo = { stream: planned.stream, deliveryTs: planned.deliveryTs ?? 0, ...chain };
    // The bare event: nobody reads `$in`, and listeners get it unwrapped.
    const event = { ...stored, ...encoded, stream: DELAYED_STREAM, delayedTo };
    const limit = await waiting.add(emitter, event);
    if (limit !== undefined) return limit;
    await schedules.create(
      delayedEmitSchedule(emitter, { ...event, delayedTo }, { runsQueueArn, at: now() }),
    );
    return undefined;
  }

  return {
    async schedule(emitter, events) {
      for (const [index, event] of events.entries()) {
        const limit = await scheduleOne(emitter, event);
        // The limit refuses the others, too. A repeated commit finds the earlier ones stored.
        if (limit !== undefined) return { count: events.length - index, first: event, limit };
      }
      return undefined;
    },

    find: waiting.find,
    complete: waiting.complete,
    forget: waiting.forget,

    async cancel(emitter, events) {
      for (let at = 0; at < events.length; at += AT_ONCE) {
        await settleAll(
          events.slice(at, at + AT_ONCE).map(async (event) => {
            await schedules.delete(delayedEmitName(emitter.emitterId, event.id));
            // Payloads of an earlier release that were too large for a schedule's input.
            if (event.body !== undefined) await bucket.delete(delayedEmitKey(emitter.emitterId, event.id));
            await waiting.remove(emitter, event);
          }),
        );
      }
    },
  };
}
