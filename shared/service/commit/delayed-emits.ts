import type { Schedules } from '../../aws/schedules.ts';
import type { Bucket } from '../../aws/bucket.ts';
import { delayedEmitKey } from '../../aws/object-keys.ts';
import type { EventId } from '../../domain/event/event-id.ts';
import type { EmitterId, UserId } from '../../domain/id.ts';
import { MAX_DELAYED_EMITS } from '../../domain/limits.ts';
import { DELAYED_STREAM } from '../../domain/event/stream.ts';
import {
  type DelayedEmitStore,
  type DelayedLimit,
  MAX_CONCURRENT_EVENTS,
} from '../../store/events/delayed-emit-items.ts';
import { storedSize } from '../../store/events/event-item.ts';
import { settleAll } from '../../lib/settle-all.ts';
import { delayedEmitName, delayedEmitSchedule } from '../schedules/delayed-emit-schedule.ts';
import type { Numbered } from './number-events.ts';

interface Emitter {
  emitterId: EmitterId;
  ownerId: UserId;
}

/**
 * Emits with a `delivery_ts`, stored on stream `$in` until they are due. A schedule names the event and holds none of
 * it. Event, count and schedule go together: when the event is emitted or deleted, and with its emitter.
 */
export type DelayedEmits = ReturnType<typeof createDelayedEmits>;

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

/** Schedules that are made or deleted at the same time. */
const AT_ONCE = 8;
/** Half of what DynamoDB allows, as items have more than their events. */
const LARGEST_CHUNK_BYTES = 2_000_000;

/** Explains a refusal in an `$errors` event. */
export const refusalText = ({ count, limit }: Refused): string =>
  `${limit === 'source' ? 'A source' : 'A user'} may have at most ${MAX_DELAYED_EMITS[limit]} emits that wait for their delivery_ts. ` +
  `Dropped emits of this run: ${count}. Emit again when some of them were delivered.`;

export function createDelayedEmits(options: DelayedEmitsOptions) {
  const { waiting, schedules, bucket, runsQueueArn, now } = options;

  /** The bare event: stream `$in` has no readers, and listeners get it unwrapped. */
  const waitingOf = ({ planned, stored, encoded, chain }: Numbered) => {
    const delayedTo = { stream: planned.stream, deliveryTs: planned.deliveryTs ?? 0, ...chain };
    return { ...stored, ...encoded, stream: DELAYED_STREAM, delayedTo };
  };

  return {
    /** Schedules the events that the limits allow, in order. Nothing is stored of the others. */
    async schedule(emitter: Emitter, events: readonly Numbered[]): Promise<Refused | undefined> {
      let left = events;
      while (left.length > 0) {
        const chunk = left.slice(0, chunkLength(left)).map(waitingOf);
        const { accepted, limit } = await waiting.add(emitter, chunk);
        await eachAtOnce(chunk.slice(0, accepted), (event) =>
          schedules.create(delayedEmitSchedule(emitter, event, { runsQueueArn, at: now() })),
        );
        const [first] = left.slice(accepted);
        // The limit refuses the others, too. A repeated commit finds the earlier ones stored.
        if (limit !== undefined && first) return { count: left.length - accepted, first, limit };
        left = left.slice(accepted);
      }
      return undefined;
    },

    /** Undefined once the event was deleted from `$in` or was emitted. */
    find: waiting.find,
    /** Removes the event from `$in` after it was emitted. */
    complete: waiting.complete,
    forget: waiting.forget,

    /** Removes the events from `$in` that are chosen, with their schedules. */
    async cancel(emitter: Emitter, isChosen: (event: { id: EventId }) => boolean): Promise<void> {
      const { emitterId } = emitter;
      for await (const page of waiting.pages(emitterId)) {
        const chosen = page.filter(isChosen);
        for (let at = 0; at < chosen.length; at += MAX_CONCURRENT_EVENTS) {
          const chunk = chosen.slice(at, at + MAX_CONCURRENT_EVENTS);
          await eachAtOnce(chunk, async ({ id, body }) => {
            await schedules.delete(delayedEmitName(emitterId, id));
            // Payloads of an earlier release that were too large for a schedule's input.
            if (body !== undefined) await bucket.delete(delayedEmitKey(emitterId, id));
          });
          await waiting.remove(emitter, chunk);
        }
      }
    },
  };
}

/** Number of the first events that one transaction stores. */
function chunkLength(events: readonly Numbered[]): number {
  let bytes = 0;
  const beyond = events.findIndex(({ encoded }, index) => {
    bytes += storedSize(encoded);
    return index === MAX_CONCURRENT_EVENTS || (index > 0 && bytes > LARGEST_CHUNK_BYTES);
  });
  return beyond < 0 ? events.length : beyond;
}

async function eachAtOnce<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE) await settleAll(items.slice(at, at + AT_ONCE).map(work));
}
