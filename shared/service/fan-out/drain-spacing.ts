import type { ListenerId } from '../../domain/id.ts';
import type { RetryMessage } from '../../domain/run/message.ts';
import { TtlCache } from '../../lib/ttl-cache.ts';

type SendRetry = (message: RetryMessage, delaySeconds: number) => Promise<void>;

interface DrainSpacingOptions {
  sendRetry: SendRetry;
  now(): number;
  /** Milliseconds of a clock that is never set. */
  uptime?: () => number;
}

const SPACING_SECONDS = 1;
const SPACING_MS = SPACING_SECONDS * 1_000;
const MAX_LISTENERS = 10_000;

/**
 * Sends at most two drain messages of a webhook in a second, for the deliveries that this process parks: the second one
 * is delayed, and serves the deliveries that are parked until it comes.
 */
export function createDrainSpacing({
  sendRetry,
  now,
  uptime = () => performance.now(),
}: DrainSpacingOptions): SendRetry {
  /** The last message of each webhook, and the times before which it does not come. */
  const last = new TtlCache<ListenerId, { at: number; uptime: number; sent: Promise<void> }>({
    ttlMs: 2 * SPACING_MS,
    maxEntries: MAX_LISTENERS,
    now,
  });

  return async (message, delaySeconds) => {
    if (message.kind !== 'drain') return sendRetry(message, delaySeconds);
    const { listenerId } = message;
    const before = last.get(listenerId);
    // The one clock may be set back, the other one stops while a Lambda function is frozen.
    if (before && before.at > now() && before.uptime > uptime()) return before.sent;
    const delay = before ? SPACING_SECONDS : 0;
    const sent = sendRetry(message, delay).catch((error: unknown) => {
      last.delete(listenerId);
      throw error;
    });
    const delayMs = delay * 1_000;
    last.set(listenerId, { at: now() + delayMs, uptime: uptime() + delayMs, sent });
    return sent;
  };
}
