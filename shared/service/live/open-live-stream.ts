import type { EventId } from '../../domain/event/event-id.ts';
import type { EventFilter } from '../../domain/event/event-pattern/event-filter.ts';
import type { StreamName } from '../../domain/event/stream.ts';
import type { EmitterId, UserId } from '../../domain/id.ts';
import { isAfter, resume } from '../../domain/live/resume.ts';
import { retryMessage } from '../../domain/live/sse-message.ts';
import { LONGEST_POLL_MS, LONGEST_STREAM_MS, RETRY_MS, RETRY_REPLACED_MS } from '../../domain/live/stream-limits.ts';
import type { TokenUse } from '../../domain/live/token-streams.ts';
import { type ClientConnection, isGone } from '../../lib/reading/client-connection.ts';
import type { FieldChoice } from '../../lib/fields.ts';
import type { StoredEvent } from '../../store/events/event-item.ts';
import type { Key } from '../../store/table/table-client.ts';
import { apiKeyKey } from '../../store/table/keys.ts';
import { isExpired } from '../../domain/user/api-key.ts';
import type { UserLookup } from '../../store/users/users.ts';
import { liveView } from './live-batch.ts';
import { LiveListener } from './live-listener.ts';
import type { LiveOutput } from './live-output.ts';
import type { ReplayServices } from './replay.ts';
import type { SharedChecks } from './shared-checks.ts';
import type { StreamPermit, StreamPermits } from './stream-permits.ts';
import type { WatcherServices } from './stream-watcher.ts';
import type { Ticker } from './ticker.ts';
import type { Watchers } from './watchers.ts';
import { notFound } from '../../domain/errors.ts';

export interface LiveServices extends WatcherServices, ReplayServices {
  watchers: Watchers;
  checks: SharedChecks;
  comments: Ticker;
  permits: StreamPermits;
  users: Pick<UserLookup, 'findByKeyHash'>;
}

export interface StreamRequest {
  userId: UserId;
  emitterId: EmitterId;
  stream: StreamName;
  filter: EventFilter | undefined;
  fields: FieldChoice;
  /** The last event that the client has. */
  position: EventId | undefined;
  /** Hash of the API key on which the right to follow the stream depends. */
  keyHash: string;
  /** The token that gives the right; undefined for the key itself. */
  token: TokenUse | undefined;
  address: string;
  client: ClientConnection | undefined;
  /** Time at which the right ends; undefined for none. */
  until: number | undefined;
  /** Whether the response is gathered before the client gets it: it then ends with its first events. */
  isPoll: boolean;
  /** The item of the emitter, and whether the emitter still exists and belongs to the user. */
  owner: { key: Key; isValid: () => Promise<boolean> };
}

/** Sends the stream to a client until it is over. */
export type LiveStream = (output: LiveOutput) => Promise<void>;

/** Joins a stream. Throws what the client must know before the response begins; the stream it returns must be run. */
export async function openLiveStream(services: LiveServices, request: StreamRequest): Promise<LiveStream> {
  const { userId, token, address, emitterId, stream, position, isPoll, owner } = request;
  const { permits, watchers } = services;
  if (!(await owner.isValid())) throw notFound(emitterId);
  if (await isGone(request.client)) return cut;
  let output: LiveOutput | undefined;
  let isReplaced = false;
  const onEnd = () => {
    isReplaced = true;
    output?.end(retryMessage(RETRY_REPLACED_MS));
  };
  const permit = await permits.take({ userId, token, address, onEnd });
  const listener = new LiveListener(liveView(request.filter, request.fields), () => {
    if (isPoll) output?.end();
    else if (output?.isFull === true) output.end(retryMessage(RETRY_MS));
  });
  const { stored, leave } = await watchers.join(emitterId, stream, listener).catch(async (error: unknown) => {
    await permit.release();
    throw error;
  });

  return async (opened) => {
    output = opened;
    const stops = [
      leave,
      ...checksOf(services, request, opened),
      ...timersOf(services, request, { listener, output, permit, onEnd }),
    ];
    try {
      // The status comes before a replay that may wait: a client waits for it.
      opened.begin();
      if (isPoll) opened.send(retryMessage(RETRY_MS));
      if (isReplaced) onEnd();
      await listener.begin(opened, services, {
        userId,
        lane: `${emitterId} ${token?.hash ?? ''}`,
        emitterId,
        resumption: resume(stored, position),
        isKnown: knownIn(stored),
      });
      await opened.closed;
    } finally {
      for (const stop of stops) stop();
      // A response that has ended is not cut: its last bytes may still be on their way.
      if (opened.isOpen) opened.cut();
      await permit.release();
    }
  };
}

const cut: LiveStream = (output) => {
  output.cut();
  return Promise.resolve();
};

/**
 * Whether a client has an event, or a notice of a gap: the event was stored before the client joined, and may have been
 * removed since.
 */
function knownIn(stored: readonly StoredEvent[]): (id: EventId) => boolean {
  const ids = new Set(stored.map(({ id }) => id));
  const oldest = stored.at(-1);
  return (id) => ids.has(id) || (oldest !== undefined && !isAfter(id, oldest.id));
}

/** A rotated, deleted or expired key, a suspended user, and a deleted source or user end the stream. */
function checksOf(
  { checks, users, now }: LiveServices,
  { userId, keyHash, owner }: StreamRequest,
  output: LiveOutput,
): (() => void)[] {
  const end = () => output.end();
  const isKey = async () => {
    const key = await users.findByKeyHash(keyHash);
    return key?.userId === userId && key.suspendedAt === undefined && !isExpired(key, now());
  };
  return [checks.add(apiKeyKey(keyHash), isKey, end), checks.add(owner.key, owner.isValid, end)];
}

function timersOf(
  { comments, now }: LiveServices,
  { until = Infinity, isPoll }: StreamRequest,
  { listener, output, permit, onEnd }: TimedStream,
): (() => void)[] {
  if (isPoll) {
    const timer = setTimeout(() => output.end(), LONGEST_POLL_MS);
    return [() => clearTimeout(timer)];
  }
  const endsAt = Math.min(until, now() + LONGEST_STREAM_MS);
  return [
    comments.add(() => {
      if (now() >= endsAt) output.end(retryMessage(RETRY_MS));
      else {
        listener.comment();
        // A table that refuses the read for a moment ends no stream.
        void permit.isValid().then(
          (isValid) => isValid || onEnd(),
          () => undefined,
        );
      }
    }),
  ];
}

interface TimedStream {
  listener: LiveListener;
  output: LiveOutput;
  permit: StreamPermit;
  onEnd: () => void;
}
