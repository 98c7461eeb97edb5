import { type StreamName, isReserved } from '../../domain/event/stream.ts';
import { isSourceId } from '../../domain/id.ts';
import { tallyOfRuns } from '../../domain/metrics/tally.ts';
import { isNoticesId } from '../../domain/notice/notices-emitter.ts';
import { dayOf } from '../../domain/user/user.ts';
import { countStored } from '../../domain/user/activity.ts';
import type { EmitterState } from '../../store/emitters/emitters.ts';
import { refusalText } from './delayed-emits.ts';
import { type PlannedEvent, errorEventOf, ourError } from './planned-event.ts';
import type { CommitContext, CommitInput } from './commit-context.ts';
import { type Numbered, type Planned, number } from './number-events.ts';
import { removeEvents } from './remove-events.ts';
import { recountedBytes } from './recount.ts';
import { withDbError, withReport } from './report-db-error.ts';
import { saveState } from './save-state.ts';
import { largePayloads, sendEvents } from './send-events.ts';
import { withinStorage } from './storage-limit.ts';
import { storeTrimmed } from './store-trimmed.ts';
import { streamChangesFor, removeStreams, withStreamReport } from './stream-limit.ts';
import { lineOf } from '../../domain/run/run-record.ts';

/** {@link commitRuns}, bound to its context. */
export type Commit = (work: CommitInput) => Promise<EmitterState | undefined>;

/**
 * Makes the results durable in an order that is safe to repeat: store events and send delivery messages, then save
 * state and db. Only after that may the triggers be acknowledged. Undefined when the emitter was deleted meanwhile.
 */
export async function commitRuns(context: CommitContext, wanted: CommitInput): Promise<EmitterState | undefined> {
  const { ownerId, usage } = wanted;
  const now = context.now();
  // Notices take little, and tell of other problems of a user who has reached the limit.
  const input = isNoticesId(wanted.emitterId) ? wanted : await withinStorage(context, wanted, now);
  const streamChanges = await streamChangesFor(context.events, input, streamsOf(input, now), now);
  const work = await scheduleDelayed(context, withStreamReport(input, streamChanges, now), now);
  const reported = withDbError(work, now);
  const { numbered, position } = await number(reported, now);
  const due = numbered.filter(({ planned }) => !isDelayed(planned, now));
  const kept = due.filter(({ stored }) => !streamChanges.unstored.has(stored.stream));
  const added = countByStream(kept.map(({ stored }) => stored));
  // The activity of a user counts the events of sources and workflows.
  const streamNames = isNoticesId(work.emitterId) ? [] : due.map(({ stored }) => stored.stream);
  const records = recordLines(work.planned, numbered);
  const isMarked = due.length > 0 && (await context.hasOrdered(ownerId));
  await context.events.addStreams(work.emitterId, streamChanges.fresh);
  const [, { removedBytes: trimmedBytes, ...stored }] = await Promise.all([
    sendEvents(context, work, { events: due, isMarked }),
    storeTrimmed(context.events, work, { due: kept, added, uncounted: streamChanges.uncounted, records }),
    work.notice && context.notify(work.notice),
  ]);
  const replacedBytes = await removeStreams(context.events, work.emitterId, streamChanges.replaced);
  const recounted = await recountedBytes(context.events, work, now);
  const change = { ...stored, removedBytes: trimmedBytes + replacedBytes, recounted };
  const payloadBytes = (input.payloadBytes ?? 0) + largePayloads(due);
  const counts = countStored(streamNames);
  if (isSourceId(work.emitterId))
    context.metrics.count(
      work.emitterId,
      tallyOfRuns({ runs: usage.invocations, computeMs: usage.computeMs, ...counts }),
      work.planned.flatMap(({ run }) => run?.ms ?? []),
    );
  const [saved] = await Promise.all([
    saveState(context, withLargeDay(work, payloadBytes, now), {
      position,
      added,
      streamChanges,
      ...change,
      records,
      isDbErrorReported: reported !== work,
    }),
    context.usages.add(ownerId, { ...usage, ...counts, payloadBytes }, now),
    context.metrics.settle(),
  ]);
  context.storage.add(ownerId, change.addedBytes - change.removedBytes, work.emitterId);
  // The emitter was deleted meanwhile: these events may be newer than its purge, and nothing else would remove them.
  if (!saved) {
    await removeEvents(context, work);
  }
  for (const trigger of reported.planned) logRun(context, { work, trigger, numbered });
  return saved;
}

/** Notes the day of payloads that are objects: those of a user without any need no list. */
const withLargeDay = (work: CommitInput, payloadBytes: number, now: number): CommitInput =>
  payloadBytes === 0 ? work : { ...work, changes: { ...work.changes, largeDay: dayOf(now) } };

/** Writes the line of one trigger. Its events have consecutive ids. */
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

/**
 * Schedules the emits that are due later. Those beyond a limit are refused by one event, the last of the last trigger.
 */
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

/** Schedules have a resolution of one second, so an emit due within 1 s is delivered at once. */
const isDelayed = ({ deliveryTs }: PlannedEvent, now: number) => deliveryTs !== undefined && deliveryTs > now + 1_000;

/** Number of events of each stream to store now; a delayed emit asks for its stream when it is due. */
const streamsOf = ({ planned }: CommitInput, now: number): Map<StreamName, number> =>
  countByStream(planned.flatMap(({ events }) => events.filter((event) => !isDelayed(event, now))));

function countByStream(events: readonly { stream: StreamName }[]): Map<StreamName, number> {
  const counts = new Map<StreamName, number>();
  for (const { stream } of events) counts.set(stream, (counts.get(stream) ?? 0) + 1);
  return counts;
}

/** The lines of the records of a batch, with the numbers of their events, which are in the order of their triggers. */
function recordLines(planned: readonly Planned[], numbered: readonly Numbered[]): string {
  let lines = '';
  let next = 0;
  for (const { triggerId: id, ended } of planned) {
    let emitted = 0;
    for (let event = numbered[next]; event?.triggerId === id; event = numbered[next]) {
      if (!isReserved(event.stored.stream)) emitted += 1;
      next += 1;
    }
    if (ended) lines += lineOf(id, ended, emitted);
  }
  return lines;
}
