import { setTimeout as pause } from 'node:timers/promises';
import { type PayloadStore, storedPayload } from '../../aws/payloads.ts';
import { countStored } from '../../domain/user/activity.ts';
import { type DedupeState, mergeDedupe } from '../../domain/event/dedupe.ts';
import { ServiceError } from '../../domain/errors.ts';
import { type EmitterId, isSourceId, type UserId } from '../../domain/id.ts';
import { tallyOfRuns } from '../../domain/metrics/tally.ts';
import type { Notice, Notify } from '../../domain/notice/notice.ts';
import { isNoticesId } from '../../domain/notice/notices-emitter.ts';
import type { WriteLine } from '../../domain/run/log-fields.ts';
import type { DeliveryMessage } from '../../domain/run/message.ts';
import { ERRORS_STREAM, type StreamName } from '../../domain/event/stream.ts';
import { countAdded } from '../../domain/event/trimming.ts';
import type { EventStore } from '../../store/events.ts';
import type { EmitterStore, EmitterState } from '../../store/emitters.ts';
import type { Usage, UsageStore } from '../../store/usage.ts';
import { type DbChange, dbTooLarge, mergedDb } from './db-change.ts';
import type { Storage } from '../admission/storage.ts';
import type { MetricCounts } from '../metrics/metric-counts.ts';
import { type DelayedEmits, refusalText } from './delayed-emits.ts';
import { number, type Numbered, type Planned, withLast } from './number-events.ts';
import { LARGEST_INLINE_BYTES } from '../../domain/event/payload.ts';
import { errorEventOf, ourError, type PlannedEvent } from './run-outcome.ts';
import { recordLines } from './ended-run.ts';
import { isRequestedRun } from '../../domain/run/answered-trigger.ts';
import { withLines } from '../../domain/run/run-record.ts';
import { runChunk, type RunRecordStore } from '../../store/run-records.ts';
import { withinStorage, type StorageContext } from './storage-limit.ts';
import { type StorageChange, storeTrimmed } from './store-trimmed.ts';
import { refusedStreams, withStreamErrors } from './stream-limit.ts';
import { removeEvents, type RemoveEventsContext } from './remove-events.ts';

export interface CommitContext {
  emitters: Pick<EmitterStore, 'save' | 'load'>;
  events: RemoveEventsContext['events'] & Pick<EventStore, 'addStreams' | 'items' | 'store'>;
  bucket: PayloadStore;
  runRecords: RemoveEventsContext['runRecords'] & Pick<RunRecordStore, 'keep'>;
  usages: Pick<UsageStore, 'add'>;
  metrics: MetricCounts;
  storage: StorageContext['storage'] & Pick<Storage, 'add'>;
  delayedEmits: RemoveEventsContext['delayedEmits'] & Pick<DelayedEmits, 'schedule'>;
  /** Resolves when the queue has accepted every message. */
  sendDeliveries(messages: readonly DeliveryMessage[]): Promise<void>;
  notify: Notify;
  writeLine: WriteLine;
  now(): number;
}

/** The results of consecutive triggers of one emitter. */
export interface CommitInput {
  /** Names the batch in the log. */
  batch?: string | undefined;
  emitterId: EmitterId;
  ownerId: UserId;
  /** The state as loaded or last saved. */
  state: EmitterState;
  planned: readonly Planned[];
  dedupe: DedupeState;
  /** Change of `$.service.db`; without it the stored db stays. */
  db?: DbChange | undefined;
  usage: Usage;
  /** Bytes of the triggers' payloads that were too large for a message. */
  payloadBytes?: number;
  /** Bytes of stored events that were removed before. */
  removedBytes?: number;
  /** Other fields of the state to overwrite. */
  changes?: Partial<
    Pick<
      EmitterState,
      | 'done'
      | 'completed'
      | 'laggingUntil'
      | 'batchMs'
      | 'quotaDay'
      | 'expiredHour'
      | 'lastErrorMinute'
      | 'longUntilHour'
      | 'noticeCount'
    >
  >;
  /** A notice about the results. It is sent before the state is saved, so that a repeated commit sends it again. */
  notice?: Notice | undefined;
  /** A synchronous run: it uses its own range of event ids, and the source may be deleted meanwhile. */
  isSynchronous?: boolean;
}

/** {@link commitRuns}, bound to its context. */
export type Commit = (work: CommitInput) => Promise<EmitterState | undefined>;

/** Concurrent writers back off with jitter between attempts, so that one of them succeeds each time. */
const MAX_SAVE_ATTEMPTS = 40;
const MAX_SAVE_PAUSE_MS = 250;

/**
 * Makes the results durable in an order that is safe to repeat: store events and send delivery messages, then save state and db. Only
 * after that may the triggers be acknowledged. Undefined when the emitter was deleted meanwhile.
 */
export async function commitRuns(
  context: CommitContext,
  wanted: CommitInput,
): Promise<EmitterState | undefined> {
  const { ownerId, usage } = wanted;
  const now = context.now();
  // Notices take little, and tell of other problems of a user who has reached the limit.
  const input = isNoticesId(wanted.emitterId) ? wanted : await withinStorage(context, wanted, now);
  const refused = await refusedStreams(context.events, input, streamsOf(input, now));
  const work = await scheduleDelayed(
    context,
    { ...input, planned: withStreamErrors(input.planned, refused, now) },
    now,
  );
  const reported = withDbError(work, now);
  const { numbered: all, position } = await number(reported, now);
  // Dropped events keep their number, so that a repeated commit gives the others the same ids, whatever it drops.
  const numbered = all.filter(({ stored }) => !refused.has(stored.stream));
  const due = numbered.filter(({ planned }) => !isDelayed(planned, now));
  const added = countByStream(due);
  // The activity of a user counts the events of sources and workflows.
  const streamNames = isNoticesId(work.emitterId) ? [] : due.map(({ stored }) => stored.stream);
  const records = recordLines(work.planned, numbered);
  const [change] = await Promise.all([
    storeTrimmed(context.events, work, { due, added, records }),
    sendEvents(context, work, due),
    work.notice && context.notify(work.notice),
  ]);
  const payloadBytes = (input.payloadBytes ?? 0) + largePayloads(due);
  const counts = countStored(streamNames);
  if (isSourceId(work.emitterId))
    context.metrics.count(work.emitterId, tallyOfRuns({ runs: usage.invocations, ...counts }));
  const [saved] = await Promise.all([
    save(context, work, { position, added, ...change, records, isDbErrorReported: reported !== work }),
    context.usages.add(ownerId, { ...usage, ...counts, payloadBytes }, now),
    context.metrics.settle(),
  ]);
  context.storage.add(ownerId, change.addedBytes - change.removedBytes + payloadBytes);
  // The emitter was deleted meanwhile: these events may be newer than its purge, and nothing else would remove them.
  if (!saved) {
    await removeEvents(context, work);
  }
  for (const trigger of reported.planned) logRun(context, { work, trigger, numbered });
  return saved;
}

/** Writes the line of one trigger. Its events have consecutive ids, without those that the streams refused. */
function logRun(
  { writeLine }: Pick<CommitContext, 'writeLine'>,
  { work, trigger, numbered }: { work: CommitInput; trigger: Planned; numbered: readonly Numbered[] },
): void {
  const { triggerId, chain, context, run } = trigger;
  writeLine('run.ended', () => {
    const events = numbered.filter((event) => event.triggerId === triggerId);
    return {
      ...(work.batch === undefined ? {} : { batch: work.batch }),
      trigger: triggerId,
      emitter: work.emitterId,
      owner: work.ownerId,
      trace: chain.trace?.id,
      cause: context.sourceType,
      outcome: run?.outcome ?? 'no_run',
      ms: run?.ms,
      events: events.length,
      firstEvent: events.at(0)?.stored.id,
      lastEvent: events.at(-1)?.stored.id,
    };
  });
}

/** Schedules the emits that are due later. Those beyond a limit are refused by one event, the last of the last trigger. */
async function scheduleDelayed(
  { delayedEmits }: Pick<CommitContext, 'delayedEmits'>,
  work: CommitInput,
  now: number,
): Promise<CommitInput> {
  if (!work.planned.some(({ events }) => events.some((event) => isDelayed(event, now)))) return work;
  const { numbered } = await number(work, now);
  const refused = await delayedEmits.schedule(
    work,
    numbered.filter(({ planned }) => isDelayed(planned, now)),
  );
  const trigger = work.planned.find(({ triggerId }) => triggerId === refused?.first.triggerId);
  if (!refused || !trigger) return work;
  const error = ourError('too_many_emits', refusalText(refused));
  const report = { ...errorEventOf(trigger.context, error, now), identity: 'too-many-delayed-emits' };
  return withReport(work, report);
}

const withReport = (work: CommitInput, event: PlannedEvent): CommitInput => ({
  ...work,
  planned: withLast(work.planned, [event]),
});

/** Adds a `db_too_large` event to the last trigger when values of the db do not fit. */
function withDbError(work: CommitInput, now: number, db = work.db): CommitInput {
  const leftOut = db ? mergedDb(db).leftOut : 0;
  return db && leftOut > 0 ? withReport(work, dbTooLarge(db.context, leftOut, now)) : work;
}

/** Schedules have a resolution of one second, so an emit due within 1 s is delivered at once. */
const isDelayed = ({ deliveryTs }: PlannedEvent, now: number) =>
  deliveryTs !== undefined && deliveryTs > now + 1_000;

/** The streams to store now; a delayed emit asks for its stream when it is due. */
const streamsOf = ({ planned }: CommitInput, now: number): Set<StreamName> =>
  new Set(
    planned.flatMap(({ events }) =>
      events.filter((event) => !isDelayed(event, now)).map(({ stream }) => stream),
    ),
  );

function countByStream(events: readonly Numbered[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { stored } of events) counts.set(stored.stream, (counts.get(stored.stream) ?? 0) + 1);
  return counts;
}

/** Bytes of the payloads that {@link sendEvents} writes to the bucket. */
const largePayloads = (events: readonly Numbered[]): number =>
  events
    .map(({ encoded: { utf8 } }) => utf8?.length ?? 0)
    .reduce((sum, bytes) => (bytes > LARGEST_INLINE_BYTES ? sum + bytes : sum), 0);

/** Resolves when the queue has the events. Large ones are written here, because their bytes are at hand. */
async function sendEvents(
  { bucket, sendDeliveries }: CommitContext,
  { emitterId, ownerId }: CommitInput,
  events: readonly Numbered[],
): Promise<void> {
  const messageOf = async ({ encoded, stored, chain }: Numbered): Promise<DeliveryMessage> => ({
    emitterId,
    ownerId,
    stream: stored.stream,
    eventId: stored.id,
    emitId: stored.emitId,
    indexedAt: stored.indexedAt,
    payload: encoded.utf8 ? await storedPayload(bucket, encoded) : encoded,
    ...chain,
  });
  await sendDeliveries(await Promise.all(events.map(messageOf)));
}

interface Stored extends StorageChange {
  position: Partial<Pick<EmitterState, 'lastMs' | 'lastSequence'>>;
  added: ReadonlyMap<string, number>;
  /** Lines of the records of ended runs. */
  records: string;
  isDbErrorReported: boolean;
}

/** Saves state and db; reloads and retries after a concurrent write. */
async function save(
  context: CommitContext,
  work: CommitInput,
  stored: Stored,
): Promise<EmitterState | undefined> {
  const { emitters } = context;
  const { emitterId, isSynchronous = false } = work;
  const requested = work.planned.map(({ triggerId }) => triggerId).filter(isRequestedRun);
  let { state, db } = work;
  for (let attempt = 1; attempt <= MAX_SAVE_ATTEMPTS; attempt += 1) {
    const merged = db && mergedDb(db).json;
    const saved = await emitters.save({
      emitterId,
      state: stateAfter(work, stored, state),
      db: merged === db?.current ? undefined : merged,
      sourceMustExist: isSynchronous,
      ended: requested,
    });
    if (saved) return saved;
    if (attempt > 1) await pause(Math.random() * Math.min(2 ** attempt, MAX_SAVE_PAUSE_MS));
    const fresh = await emitters.load(emitterId);
    if (isSynchronous && (!fresh.source || fresh.source.state === 'deleting')) return undefined;
    state = fresh.state;
    const chunk = stored.records === '' ? undefined : runChunk(emitterId, state.runs);
    if (chunk) await context.runRecords.keep(chunk);
    if (!db) continue;
    db = { ...db, current: fresh.db };
    stored = await reportDbError(context, work, { stored, db });
  }
  throw new ServiceError(
    'unavailable',
    'unavailable',
    `Other writers changed the state of the emitter during each of ${MAX_SAVE_ATTEMPTS} attempts to save it.`,
  );
}

const stateAfter = (
  { state, dedupe, changes }: CommitInput,
  { position, added, trimmed, addedBytes, removedBytes, records }: Stored,
  current: EmitterState,
): EmitterState => ({
  ...current,
  ...position,
  ...changes,
  counts: countAdded(current.counts, added, trimmed),
  runs: withLines(current.runs, records),
  // Another writer may have trimmed the same events. The total may be too high, but never too low.
  bytes: Math.max(0, current.bytes + addedBytes - (current === state ? removedBytes : 0)),
  dedupe: current === state ? dedupe : mergeDedupe(current.dedupe, dedupe),
});

/** Adds a `db_too_large` event after the stored ones when a concurrent write left no room for this run's values. */
async function reportDbError(
  context: CommitContext,
  work: CommitInput,
  { stored, db }: { stored: Stored; db: DbChange },
): Promise<Stored> {
  if (stored.isDbErrorReported) return stored;
  const now = context.now();
  const reported = withDbError(work, now, db);
  if (reported === work) return stored;
  const { numbered, position } = await number(reported, now);
  const last = numbered.slice(-1);
  await Promise.all([
    context.events.store(
      work.emitterId,
      last.map((event) => event.stored),
      [],
    ),
    sendEvents(context, work, last),
  ]);
  const added = new Map(stored.added);
  added.set(ERRORS_STREAM, (added.get(ERRORS_STREAM) ?? 0) + 1);
  return { ...stored, position, added, isDbErrorReported: true };
}
