import { pathOfEmitter, type StreamRef } from './event-api.ts';
import { session } from './key-session.ts';
import { request, requestText } from './request.ts';
import type { Single } from './wire.ts';

/** The response ends with the first events, or after 25 s: on AWS the API's address has no other. */
const GATHERED = { 'x-gathered-response': '1' };
const AFTER_FAILURE_MS = 1_000;
/** Events of one moment share a request. */
const AFTER_EVENTS_MS = 100;

interface FollowOptions {
  /** The newest event that is known. */
  position: string;
  /** The next request waits for its end: it must not abort a read of the list that is under way. */
  onEvents: () => Promise<unknown>;
  signal: AbortSignal;
}

/**
 * Calls back after new events of a stream, until the signal aborts. Without the live stream it calls back once a
 * second.
 */
export async function followStream(
  { emitterId, stream, filter }: StreamRef,
  { position, onEvents, signal }: FollowOptions,
): Promise<void> {
  let lastId = position;
  let token: string | undefined;
  while (!signal.aborted) {
    try {
      // A live stream takes keys and tokens, and no cookie.
      if (session.key === undefined) token ??= await tokenOf(emitterId, stream);
      const text = await requestText(`${pathOfEmitter(emitterId)}/sse`, {
        query: {
          event_name: stream || undefined,
          filter: filter || undefined,
          include: 'id',
          last_event_id: lastId,
          token,
        },
        headers: GATHERED,
        signal,
        ...(token === undefined ? {} : { key: '' }),
      });
      lastId = [...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? lastId;
      // The data of the first message is empty.
      if (/^data: \{"|^event: gap$/m.test(text)) await onEvents();
      await pause(AFTER_EVENTS_MS);
    } catch {
      if (signal.aborted) return;
      token = undefined;
      await onEvents();
      await pause(AFTER_FAILURE_MS);
    }
  }
}

/** The right to follow one stream for an hour. */
async function tokenOf(emitterId: string, stream = ''): Promise<string> {
  const body = stream === '' ? {} : { event_name: stream };
  const { data } = await request<Single<{ token: string }>>('POST', `${pathOfEmitter(emitterId)}/sse_tokens`, {
    body,
    isRead: true,
  });
  return data.token;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
