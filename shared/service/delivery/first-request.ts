import { AttemptNotBegun, type BeginAttempt, type HttpOutcome } from '../../aws/deliver-http.ts';
import type { ListenerId } from '../../domain/id.ts';
import { TtlCache } from '../../domain/ttl-cache.ts';
import { type AttemptOptions, FIRST_TIMEOUT_MS, type HttpTarget, sendAttempt } from './http-target.ts';
import type { ReadMessage } from './stored-first.ts';
import type { Suspects } from './suspects.ts';
import type { UnansweredAttempts } from './unanswered-attempts.ts';

interface FirstRequestParts {
  suspects: Suspects;
  unanswered: UnansweredAttempts;
}

/** The request of one first attempt. It waits for a connection, as requests before it to the same origin may have all of them. */
export interface FirstRequest {
  /** Undefined if no request was sent. */
  outcome: Promise<HttpOutcome | undefined>;
  /** Writes that mark the webhook as suspect. Complete when there is an outcome. */
  marks: readonly Promise<void>[];
  /** Ends the wait for a connection if the webhook hangs. False if the request was sent, or if it goes on waiting. */
  giveUp(): boolean;
}

/** Longest wait for a connection: the URL, headers and secrets of the webhook were read before it. */
export const CONNECTION_WAIT_MS = 5_000;
const MAX_SUCCESSES = 10_000;
/** Time window of the breaker (`webhook-health.ts`). */
const SUCCESS_MS = 60_000;

export type FirstRequests = ReturnType<typeof createFirstRequests>;

/** Sends first attempts, and learns from their outcomes which webhooks fail. */
export function createFirstRequests(options: AttemptOptions, { suspects, unanswered }: FirstRequestParts) {
  const { now } = options;
  /** Start of the newest success of each webhook in this instance. The log gets a success only at the end of its batch. */
  const successes = new TtlCache<ListenerId, number>({ ttlMs: SUCCESS_MS, maxEntries: MAX_SUCCESSES, now });
  const lastSuccess = (listenerId: ListenerId): number => successes.get(listenerId) ?? 0;

  return {
    /** Start of the newest success in this instance, epoch ms. */
    lastSuccess: (listenerId: ListenerId): number | undefined => successes.get(listenerId),

    send({ message, body }: ReadMessage, target: HttpTarget): FirstRequest {
      const { listenerId } = target;
      const askedAt = now();
      const marks: Promise<void>[] = [];
      let state: 'waiting' | 'sent' | 'given up' = 'waiting';
      let giveUp = (): void => undefined;

      const begin: BeginAttempt = () => {
        const at = now();
        const isToSend =
          state === 'waiting' && at - askedAt <= CONNECTION_WAIT_MS && suspects.untilOf(target) <= at;
        if (!isToSend) return undefined;
        state = 'sent';
        const end = unanswered.begin(listenerId);
        return (outcome) => {
          end();
          const newest = lastSuccess(listenerId);
          if (outcome === 'delivered') {
            if (at > newest) successes.set(listenerId, at);
          } else if (newest <= at) {
            const mark = suspects.add(listenerId, at);
            // Awaited with the record; until then a rejection must not be unhandled.
            mark.catch(() => undefined);
            marks.push(mark);
          }
        };
      };

      const outcome = new Promise<HttpOutcome | undefined>((resolve, reject) => {
        giveUp = () => {
          resolve(undefined);
        };
        const sent = { ...message, body };
        sendAttempt(options, { target, sent, timeoutMs: FIRST_TIMEOUT_MS, begin }).then(resolve, (error) => {
          if (error instanceof AttemptNotBegun) resolve(undefined);
          else reject(error instanceof Error ? error : new Error(String(error)));
        });
      });

      return {
        outcome,
        marks,
        giveUp() {
          if (state !== 'waiting' || !unanswered.areManySlow(listenerId)) return false;
          state = 'given up';
          giveUp();
          return true;
        },
      };
    },
  };
}
