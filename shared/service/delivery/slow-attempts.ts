import type { Limiter } from '../../domain/limiter.ts';
import type { DeliveryMessage } from '../../domain/message.ts';
import type { StoredDelivery } from '../../store/delivery-item.ts';
import type { HttpTarget } from './http-target.ts';
import { newDelivery, type StoredFirst, type StoredFirstOptions } from './stored-first.ts';

/** After this time a first attempt under way is listed as a pending delivery. */
export const SLOW_MS = 1_500;
/** Delay of the message that repeats a first attempt if its process dies. Longer than the attempt, so that it is void otherwise. */
const ABANDONED_MS = 60_000;

/** A first attempt under way whose delivery is stored if it takes long. */
export interface WatchedAttempt {
  /** Call it when the attempt has ended, also after an error. */
  end(): void;
  /**
   * Present if the attempt was slow: its delivery. It resolves with undefined when an earlier fan-out stored the delivery and it has ended.
   */
  readonly stored: Promise<StoredDelivery | undefined> | undefined;
}

interface SlowAttemptOptions extends Pick<StoredFirstOptions, 'deliveries' | 'sendNext' | 'now'> {
  storing: Limiter;
}

export type SlowAttempts = ReturnType<typeof createSlowAttempts>;

/** Watches the first attempts of this process, and stores the deliveries of slow ones as pending. */
export function createSlowAttempts(
  { deliveries, sendNext, storing, now }: SlowAttemptOptions,
  { resume }: Pick<StoredFirst, 'resume'>,
) {
  async function store(message: DeliveryMessage, target: HttpTarget): Promise<StoredDelivery | undefined> {
    const delivery = newDelivery(message, target, { nextAt: now() + ABANDONED_MS });
    if (!(await deliveries.create(delivery, message))) return resume(message, target);
    // The message repeats the attempt if this process dies. Otherwise the attempt is recorded first, and the message is void.
    await sendNext(delivery, delivery);
    return delivery;
  }

  return {
    /** `isToStore` is asked when the attempt has taken long. */
    watch(message: DeliveryMessage, target: HttpTarget, isToStore: () => boolean): WatchedAttempt {
      const watched: WatchedAttempt & { stored: Promise<StoredDelivery | undefined> | undefined } = {
        stored: undefined,
        end() {
          clearTimeout(timer);
        },
      };
      const timer = setTimeout(() => {
        if (!isToStore()) return;
        watched.stored = storing(() => store(message, target));
        // Awaited after the end; until then a rejection must not be unhandled.
        watched.stored.catch(() => undefined);
      }, SLOW_MS);
      return watched;
    },
  };
}
