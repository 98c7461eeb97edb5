import { payloadBytes } from '../../aws/payloads.ts';
import type { ListenerId } from '../../domain/id.ts';
import type { DeliveryMessage } from '../../domain/run/message.ts';
import { createSemaphore } from '../../lib/semaphore.ts';
import type { Listener } from '../../store/subscriptions/matching.ts';
import { FIRST_TIMEOUT_MS, type HttpTarget, targetOf } from '../delivery/http-target.ts';
import { createDrainSpacing } from './drain-spacing.ts';
import { createFirstAttempts } from './first-attempts.ts';
import {
  createMatch,
  createUnmark,
  type Failures,
  groupsOf,
  type MatchedEvents,
  type WorkOf,
} from './matched-events.ts';
import { createSourceTriggers } from './source-triggers.ts';
import { createStoredFirst, type DeliveryBatch, type ReadMessage } from './stored-first.ts';
import type { FanOutServices } from './fan-out-services.ts';

/** Attempts that wait for sockets take memory. Others wait until some of them have ended. */
export const MAX_UNDER_WAY = 5_000;
/**
 * Attempts under way from which on a batch waits: these keep all sockets at work while webhooks answer, and each
 * garbage collection copies those that wait. When webhooks hang, batches need more after `waitMs`.
 */
export const USUAL_UNDER_WAY = { permits: 1_000, waitMs: 1_000 };
/**
 * Permits that come free within this time are given out together: the events that get them share the reads of their
 * webhooks.
 */
const GATHER_MS = 50;
/** Largest batch of AWS. */
const EVENTS_OF_CHUNK = 10;
/** First attempts of the largest batch of AWS: a page of 200 listeners for each of ten events. */
const LARGEST_CHUNK = 2_000;
/** Longest wait for attempts to end. Then the retries get the deliveries: the webhooks of these attempts may hang. */
export const START_WAIT_MS = FIRST_TIMEOUT_MS;

export type FanOut = (messages: readonly DeliveryMessage[], batch: DeliveryBatch) => Promise<Failures>;

/**
 * Delivers a batch of events to their listeners, each listener once per event. When it resolves, every delivery of the
 * messages that did not fail was made or is stored durably. The events of a batch share the reads of their targets,
 * whatever their emitters.
 */
export function createFanOut(options: FanOutServices): FanOut {
  const services = { ...options, sendRetry: createDrainSpacing(options) };
  const { matching, now } = services;
  const stored = createStoredFirst(services);
  const match = createMatch(services, stored);
  const trigger = createSourceTriggers(services);
  const attemptAll = createFirstAttempts(services, stored);
  const unmark = createUnmark(services);
  /** Batches that share a read of listeners share its targets, and what is opened of them. */
  const targets = new WeakMap<Listener, HttpTarget>();
  const underWay = createSemaphore(options.maxUnderWay ?? MAX_UNDER_WAY, {
    gatherMs: GATHER_MS,
    usual: USUAL_UNDER_WAY,
  });

  return async (messages, batch) => {
    const failures = new Map<DeliveryMessage, unknown>();
    const workOf: WorkOf = async (own, work) => {
      try {
        return await work();
      } catch (error) {
        for (const message of own) failures.set(message, error);
        return undefined;
      }
    };
    const found = await Promise.all(groupsOf(messages).map((own) => workOf(own, () => match(own, batch))));
    const matched = found.filter((each) => each !== undefined);
    await Promise.all([
      ...matched.map((each) => workOf(each.messages, () => trigger(each))),
      ...chunksOf(matched).map((chunk) => attemptChunk(chunk, batch, { failures, workOf })),
    ]);
    for (const { messages: own, failure } of matched)
      if (failure !== undefined) for (const message of own) failures.set(message, failure);
    return failures;
  };

  /** Targets are read after the wait: an attempt uses the URL, headers and secrets of its moment. */
  async function attemptChunk(
    matched: readonly MatchedEvents[],
    batch: DeliveryBatch,
    { failures, workOf }: { failures: Failures; workOf: WorkOf },
  ): Promise<void> {
    const wanted = deliveriesByTarget(matched);
    if (wanted.size === 0) return unmark(matched, { failures, workOf });
    const permits = [...wanted.values()].reduce((sum, own) => sum + own.length, 0);
    const hasPermits = await underWay.acquire(permits, START_WAIT_MS);
    const first = { ...batch, hasPermits };
    let held = hasPermits ? permits : 0;
    const release = (count: number): void => {
      const released = Math.min(count, held);
      held -= released;
      underWay.release(released);
    };
    const read = await Promise.all(Array.from(wanted, ([id, own]) => workOf(own, () => readTarget(id))));
    const found = read.filter((target) => target !== undefined);
    const messages = new Set(found.flatMap(({ listenerId }) => wanted.get(listenerId) ?? []));
    const bodies = await readBodies(services, messages, workOf);
    const attemptEach = (chosen: readonly HttpTarget[]) =>
      Promise.all(
        chosen.map(async (target) => {
          const own = wanted.get(target.listenerId) ?? [];
          const items = own.flatMap((message) => bodies.get(message) ?? []);
          if (items.length > 0) await workOf(own, () => attemptAll(items, target, first));
          release(own.length);
        }),
      );
    // Their deliveries are stored: the next events need not wait for the attempts of other webhooks.
    await attemptEach(found.filter(({ ordered }) => ordered));
    await unmark(matched, { failures, workOf });
    await attemptEach(found.filter(({ ordered }) => !ordered));
    release(held);
  }

  /** Reads at the same time share a request. A target that cannot be read fails its own messages. */
  async function readTarget(id: ListenerId): Promise<HttpTarget | undefined> {
    const listener = await matching.listener(id);
    if (!listener) return undefined;
    const target = targets.get(listener) ?? targetOf(listener, now());
    if (target) targets.set(listener, target);
    return target;
  }
}

/**
 * Chunks of a batch that get their permits one by one, because work that needs more permits than there are waits until
 * all are free.
 */
function chunksOf(matched: readonly MatchedEvents[]): (readonly MatchedEvents[])[] {
  const permits = matched.reduce((sum, { messages, targetIds }) => sum + messages.length * targetIds.length, 0);
  if (permits <= LARGEST_CHUNK) return [matched];
  return matched.flatMap((each) => {
    const chunks: MatchedEvents[][] = [];
    for (let start = 0; start < each.messages.length; start += EVENTS_OF_CHUNK)
      chunks.push([{ ...each, messages: each.messages.slice(start, start + EVENTS_OF_CHUNK) }]);
    return chunks;
  });
}

function deliveriesByTarget(matched: readonly MatchedEvents[]): Map<ListenerId, DeliveryMessage[]> {
  const wanted = new Map<ListenerId, DeliveryMessage[]>();
  for (const { messages, targetIds, accepts } of matched) {
    for (const id of targetIds) {
      const accepted = messages.filter((message) => accepts(message, id));
      const own = wanted.get(id);
      if (own) own.push(...accepted);
      else wanted.set(id, accepted);
    }
  }
  return wanted;
}

/** The bodies of events. A message whose payload has expired has none. */
async function readBodies(
  { bucket }: Pick<FanOutServices, 'bucket'>,
  messages: ReadonlySet<DeliveryMessage>,
  workOf: WorkOf,
): Promise<ReadonlyMap<DeliveryMessage, ReadMessage>> {
  const bodies = new Map<DeliveryMessage, ReadMessage>();
  await Promise.all(
    Array.from(messages, (message) =>
      workOf([message], async () => {
        const body = await payloadBytes(bucket, message.payload);
        if (body !== undefined) bodies.set(message, { message, body });
      }),
    ),
  );
  return bodies;
}
