import { setTimeout as pause } from 'node:timers/promises';
import { shortHash, emitNamer } from '../../domain/emit-id.ts';
import { mergeDb } from '../../domain/db-merge.ts';
import { type DedupeState, mergeDedupe } from '../../domain/dedupe.ts';
import { eventId, type EventPosition } from '../../domain/event-id.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { EmitterId, UserId } from '../../domain/id.ts';
import type { DeliveryMessage } from '../../domain/message.ts';
import { shownEvent } from '../../domain/raw-event.ts';
import { OWN_STREAMS } from '../../domain/stream.ts';
import { countAdded, isTrimDue, KEPT_EVENTS, leaving } from '../../domain/trimming.ts';
import type { EventRef, NewEvent } from '../../store/event-item.ts';
import type { EventStore } from '../../store/events.ts';
import type { EmitterStore, EmitterState } from '../../store/emitters.ts';
import type { Usage, UsageStore } from '../../store/usage.ts';
import type { DelayedEmits } from './delayed-emits.ts';
import type { PlannedEvent } from './run-outcome.ts';
import { removeEvents, type RemovalServices } from './remove-events.ts';

/** What one trigger made. */
export interface Planned {
  triggerId: string;
  /** Its event ids begin here or later, epoch ms. */
  firstMs: number;
  hops: number;
  events: readonly PlannedEvent[];
}

export interface CommitServices extends RemovalServices {
  emitters: EmitterStore;
  events: EventStore;
  usages: UsageStore;
  delayedEmits: DelayedEmits;
  sendDeliveries(messages: readonly DeliveryMessage[]): Promise<void>;
  now(): number;
}

export interface Commit {
  emitterId: EmitterId;
  ownerId: UserId;
  /** As loaded, or as last saved. */
  state: EmitterState;
  planned: readonly Planned[];
  dedupe: DedupeState;
  /** `$.service.db` as it was when `state` was loaded, and as it is to be; without it, it stays. JSON texts. */
  db?: { loaded: string; next: string } | undefined;
  usage: Usage;
  /** What else of the state changes. */
  changes?: Partial<Pick<EmitterState, 'done' | 'overloadedUntil' | 'quotaDay'>>;
  /** Carried out beside the queue: event ids of their own, and a deletion may come in between. */
  isSynchronous?: boolean;
}

/** Those who write beside each other wait a growing, random time between their tries, so that one of them gets through each time. */
const SAVE_TRIES = 40;
const LONGEST_SAVE_PAUSE_MS = 250;

/** One event on its way into the table and out to its listeners. */
export interface Numbered {
  planned: PlannedEvent;
  stored: NewEvent;
  hops: number;
}

/**
 * Makes everything durable, in the order that lets any step be repeated: events stored and delivery messages accepted, then state and db
 * saved. Only then may the triggers be acknowledged. Undefined when the emitter has gone meanwhile.
 */
export async function commit(services: CommitServices, work: Commit): Promise<EmitterState | undefined> {
  const { ownerId, state, usage } = work;
  const now = services.now();
  const { numbered, position } = await number(work, now);
  const due = numbered.filter(({ planned }) => !isHeld(planned, now));
  for (const event of numbered) {
    if (isHeld(event.planned, now)) await services.delayedEmits.schedule(work, event);
  }
  const added = countByStream(due);
  const [trimmed] = await Promise.all([
    storeTrimmed(services, work, due, added),
    services.sendDeliveries(due.map((event) => messageOf(work, event))),
  ]);
  const [saved] = await Promise.all([
    save(services, work, (current) => ({
      ...current,
      ...position,
      ...work.changes,
      counts: countAdded(current.counts, added, trimmed),
      dedupe: current === state ? work.dedupe : mergeDedupe(current.dedupe, work.dedupe),
    })),
    usage.invocations > 0 ? services.usages.add(ownerId, usage, now) : undefined,
  ]);
  // Deleted meanwhile: what was stored since may have come after the purge, and nothing else would find it.
  if (!saved) await removeEvents(services, work.emitterId);
  return saved;
}

/** A moment that is almost there is now: schedules take whole seconds. */
const isHeld = ({ deliveryTs }: PlannedEvent, now: number) =>
  deliveryTs !== undefined && deliveryTs > now + 1_000;

/** Gives out event ids and emit ids. In the queue the same triggers get the same ones again until the state is saved. */
async function number({ emitterId, state, planned, isSynchronous }: Commit, now: number) {
  const numbered: Numbered[] = [];
  let { lastMs, lastSequence } = state;
  for (const { triggerId, firstMs, hops, events } of planned) {
    const emitId = emitNamer(triggerId);
    const synchronousStart = isSynchronous ? synchronousSequence(triggerId) : 0;
    const ms = Math.max(firstMs, lastMs);
    for (const [index, event] of events.entries()) {
      if (numbered.length % NAMED_IN_A_TURN === NAMED_IN_A_TURN - 1) await othersAreServed();
      let position: EventPosition;
      if (isSynchronous) {
        position = { ms: firstMs, sequence: synchronousStart + index };
      } else {
        lastSequence = ms === lastMs ? lastSequence + 1 : 0;
        lastMs = ms;
        position = { ms, sequence: lastSequence };
      }
      const { stream, json, identity, ownId, summary, ts } = event;
      numbered.push({
        planned: event,
        hops,
        stored: {
          stream,
          id: eventId(position),
          emitId: emitId({ stream, id: identity ?? ownId, json }),
          json: shownEvent(emitterId, stream, json),
          indexedAt: now,
          ownId,
          summary,
          ts,
        },
      });
    }
  }
  return { numbered, position: isSynchronous ? {} : { lastMs, lastSequence } };
}

/** Hashing thousands of events takes a while, in which this process would do nothing else. */
const NAMED_IN_A_TURN = 250;
const othersAreServed = () => new Promise<void>((resolve) => setImmediate(resolve));

const FIRST_SYNCHRONOUS = 2 ** 52;
/** Leaves room for the most events of one run below 2^53. */
const SYNCHRONOUS_STEP = 1_024;
const SYNCHRONOUS_STEPS = 2 ** 42 - 64;

/** Where the ids of a run beside the queue begin: above all that the queue gives out in a millisecond, apart from each other. */
function synchronousSequence(triggerId: string): number {
  const hash = Buffer.from(shortHash(triggerId), 'base64url').readUIntBE(0, 6);
  return FIRST_SYNCHRONOUS + (hash % SYNCHRONOUS_STEPS) * SYNCHRONOUS_STEP;
}

function countByStream(events: readonly Numbered[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { stored } of events) counts.set(stored.stream, (counts.get(stored.stream) ?? 0) + 1);
  return counts;
}

/** Stores the events; what leaves their streams goes with the same requests. Answers what the trimmed streams have now. */
async function storeTrimmed(
  { events }: CommitServices,
  { emitterId, state }: Commit,
  due: readonly Numbered[],
  added: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const trimmed = new Map<string, number>();
  const gone: EventRef[] = [];
  const kept: NewEvent[] = [];
  for (const [stream, count] of added) {
    if (!Object.hasOwn(state.counts, stream) && !OWN_STREAMS.includes(stream)) {
      await events.addStream(emitterId, stream);
    }
    const own = due.filter(({ stored }) => stored.stream === stream).map(({ stored }) => stored);
    // More than a stream shows need not be stored to be delivered.
    kept.push(...own.slice(-KEPT_EVENTS));
    if (!isTrimDue(state.counts, stream, count)) continue;
    const adding = new Set<string>(own.map(({ id }) => id));
    gone.push(...leaving(await events.refs(emitterId, stream), adding));
    trimmed.set(stream, KEPT_EVENTS);
  }
  if (kept.length > 0 || gone.length > 0) await events.store(emitterId, kept, gone);
  return trimmed;
}

const messageOf = ({ emitterId, ownerId }: Commit, { planned, stored, hops }: Numbered): DeliveryMessage => ({
  emitterId,
  ownerId,
  stream: stored.stream,
  eventId: stored.id,
  emitId: stored.emitId,
  payload: { json: planned.json },
  hops,
});

/** Saves what `next` makes of the state, over again when another writer was faster. */
async function save(
  { emitters }: CommitServices,
  { emitterId, state, db, isSynchronous = false }: Commit,
  next: (current: EmitterState) => EmitterState,
): Promise<EmitterState | undefined> {
  let current = state;
  let text = db && db.loaded !== db.next ? db.next : undefined;
  for (let attempt = 1; attempt <= SAVE_TRIES; attempt += 1) {
    const saved = await emitters.save({
      emitterId,
      state: next(current),
      db: text,
      sourceMustExist: isSynchronous,
    });
    if (saved) return saved;
    if (attempt > 1) await pause(Math.random() * Math.min(2 ** attempt, LONGEST_SAVE_PAUSE_MS));
    const fresh = await emitters.load(emitterId);
    if (isSynchronous && (!fresh.source || fresh.source.state === 'deleting')) return undefined;
    current = fresh.state;
    if (db && text !== undefined) text = mergeDb({ given: db.loaded, left: db.next, now: fresh.db });
  }
  throw new ServiceError(
    'unavailable',
    'unavailable',
    'The state of an emitter changes too fast to be saved',
  );
}
