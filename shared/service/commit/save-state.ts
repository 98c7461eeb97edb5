import { type DedupeState, mergeDedupe } from '../../domain/event/dedupe.ts';
import { ERRORS_STREAM, OWN_STREAMS, type StreamName } from '../../domain/event/stream.ts';
import type { CustomStream } from '../../domain/event/replaced-streams.ts';
import { countAdded, counterOf, countLeft } from '../../domain/event/trimming.ts';
import { isRequestedRun } from '../../domain/run/answered-trigger.ts';
import { isDone } from '../../domain/run/received-trigger.ts';
import { withLines } from '../../domain/run/run-record.ts';
import type { EmitterState } from '../../store/emitters/emitters.ts';
import { runChunk } from '../../store/emitters/run-records.ts';
import { changeCurrent } from '../../store/table/change-current.ts';
import type { CommitContext, CommitInput } from './commit-context.ts';
import { bytesAfter } from './recount.ts';
import { type DbChange, mergedDb } from './db-change.ts';
import { number } from './number-events.ts';
import { withDbError } from './report-db-error.ts';
import { sendEvents } from './send-events.ts';
import type { StreamChanges } from './stream-limit.ts';
import type { StorageChange } from './store-trimmed.ts';

interface Stored extends StorageChange {
  position: Partial<Pick<EmitterState, 'lastMs' | 'lastSequence'>>;
  added: ReadonlyMap<string, number>;
  streamChanges: StreamChanges;
  /** Lines of the records of ended runs. */
  records: string;
  /** The bytes of the stored events, if they were recounted. */
  recounted: number | undefined;
  isDbErrorReported: boolean;
}

/** Saves state and db; reloads and retries after a concurrent write. */
export async function saveState(
  context: CommitContext,
  work: CommitInput,
  stored: Stored,
): Promise<EmitterState | undefined> {
  const { emitters } = context;
  const { emitterId, isSynchronous = false } = work;
  const done = work.changes?.done;
  const requested = work.planned.map(({ triggerId }) => triggerId).filter(isRequestedRun);
  return changeCurrent<Pick<CommitInput, 'state' | 'db'> & { isSaved?: boolean }, EmitterState>({
    read: work,
    find: async () => {
      const fresh = await emitters.load(emitterId);
      const { state } = fresh;
      if (isSynchronous && (!fresh.source || fresh.source.state === 'deleting')) return undefined;
      // This process stood still until another one had executed the triggers, or the SDK has repeated the request: the
      // position must not go back.
      if (done && isDone(state.done, done, done)) return { state, db: undefined, isSaved: true };
      await context.events.addStreams(emitterId, contestedStreams(work, stored, state));
      const chunk = stored.records === '' ? undefined : runChunk(emitterId, state.runs);
      if (chunk) await context.runRecords.keep(chunk);
      const db = work.db && { ...work.db, current: fresh.db };
      if (db) stored = await reportDbError(context, work, { stored, db });
      return { state, db };
    },
    write: async ({ state, db, isSaved = false }) => {
      if (isSaved) return state;
      const merged = db && mergedDb(db).json;
      return emitters.save({
        emitterId,
        state: stateAfter(work, stored, { current: state, now: context.now() }),
        db: merged === db?.current ? undefined : merged,
        sourceMustExist: isSynchronous,
        ended: requested,
      });
    },
  });
}

/**
 * The streams that another writer may have removed while this one stored their events, or used while this one removed
 * them: events without the name of their stream would stay for ever. A name too many has an empty stream, the next one
 * to go.
 */
function contestedStreams(
  { left = new Map() }: CommitInput,
  { added, streamChanges }: Stored,
  { counts }: Pick<EmitterState, 'counts'>,
): CustomStream[] {
  const removed = [...streamChanges.replaced.map(({ name }) => name), ...left.keys()];
  const used = [...added].filter(([name]) => (counterOf(counts, name) ?? 0) === 0);
  return [...removed.map((name): [StreamName, number] => [name, 0]), ...used]
    .filter(([name]) => !OWN_STREAMS.includes(name))
    .map(([name, events]) => {
      const before = streamChanges.uncounted.get(name);
      return { name, events: events + (before?.events ?? 0), since: before?.since ?? 0 };
    });
}

const stateAfter = (
  { state, dedupe, changes, left = new Map() }: CommitInput,
  { position, added, trimmed, streamChanges, records, ...counted }: Stored,
  { current, now }: { current: EmitterState; now: number },
): EmitterState => ({
  ...current,
  ...position,
  ...changes,
  counts: countAdded(countLeft(current.counts, new Map([...left, ...withoutEvents(streamChanges.replaced)])), {
    added,
    trimmed,
    uncounted: new Map([...streamChanges.uncounted].map(([name, { events }]) => [name, events])),
  }),
  runs: withLines(current.runs, records),
  ...bytesAfter({ state, current }, counted, now),
  dedupe: dedupeAfter(current, { state, dedupe, changes }),
});

/**
 * A reset forgets what other writers saved. Others than a reset keep what it left: one of their ids may be emitted
 * again.
 */
function dedupeAfter(
  current: EmitterState,
  { state, dedupe, changes }: Pick<CommitInput, 'state' | 'dedupe'> & { changes: CommitInput['changes'] },
): DedupeState {
  if (current === state || changes?.dedupeResets !== undefined) return dedupe;
  return current.dedupeResets === state.dedupeResets ? mergeDedupe(current.dedupe, dedupe) : current.dedupe;
}

const withoutEvents = (streams: readonly CustomStream[]): [StreamName, number][] =>
  streams.map(({ name }) => [name, 0]);

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
  const isMarked = await context.hasOrdered(work.ownerId);
  await Promise.all([
    context.events.store(
      work.emitterId,
      last.map((event) => event.stored),
      [],
    ),
    sendEvents(context, work, { events: last, isMarked }),
  ]);
  const added = new Map(stored.added);
  added.set(ERRORS_STREAM, (added.get(ERRORS_STREAM) ?? 0) + 1);
  return { ...stored, position, added, isDbErrorReported: true };
}
