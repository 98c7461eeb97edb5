import type { Notice, Notify } from '../../domain/notice/notice.ts';
import { noticeTrigger } from '../../domain/notice/notice-trigger.ts';
import type { EmitTrigger } from '../../domain/run/message.ts';
import { DAY_MS } from '../../lib/durations.ts';
import { TtlCache } from '../../lib/ttl-cache.ts';

interface NotifierOptions {
  /** Resolves when the queue has the trigger. */
  sendNotice(trigger: EmitTrigger): Promise<void>;
  onLost(notice: Notice, error: unknown): void;
  now(): number;
}

const MAX_SENT = 10_000;

/**
 * Sends notices to the queue of their emitter. A process sends each notice once an hour, however often a webhook fails
 * and recovers; run-source emits only the first of all processes. A notice that the queue refuses is lost: the work
 * that it tells of must not be repeated for it.
 */
export function createNotifier({ sendNotice, onLost, now }: NotifierOptions): Notify {
  const sent = new TtlCache<string, true>({ ttlMs: DAY_MS, maxEntries: MAX_SENT, now });

  return async (notice) => {
    const trigger = noticeTrigger(notice, now());
    if (sent.get(trigger.id)) return;
    sent.set(trigger.id, true);
    try {
      await sendNotice(trigger);
    } catch (error) {
      sent.delete(trigger.id);
      onLost(notice, error);
    }
  };
}
