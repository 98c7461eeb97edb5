import type { SetAside } from '../../aws/letters/set-aside.ts';
import type { EmitterId } from '../../domain/id.ts';
import { LONGEST_WAIT_MS } from '../../domain/run/backlog-limits.ts';
import type { Trigger } from '../../domain/run/message.ts';
import { type Group, type GroupResult, ATTEMPTS, type Received } from '../../domain/run/received-trigger.ts';
import { fromPadded } from '../../store/emitters/backlog-item.ts';
import type { WaitingTrigger } from '../../store/emitters/waiting-triggers.ts';
import { type DrainProgressContext, type Executing, LARGEST_CHUNK } from './drain-progress.ts';
import { reportDeleted, reportDropped } from './dropped-notice.ts';

export interface ExecuteChunkContext extends DrainProgressContext {
  execute(group: Group): Promise<GroupResult>;
  setAside: SetAside;
  /** A trigger has failed, or was not started in its time; it is tried again. */
  onReturned(about: { trigger: string; emitter: EmitterId }, error: unknown): void;
  /** Writes one log line. */
  log(message: string, fields: Readonly<Record<string, string>>): void;
}

interface ChunkResult {
  /** Number of triggers that are executed, dropped or set aside. */
  completed: number;
  nextSize: number;
  /** The first trigger has failed, and its next attempt is not due. */
  isPaused: boolean;
}

export const FIRST_CHUNK = 10;
/** A chunk starts no run after this: updates and deletions are executed before the next chunk. */
const CHUNK_MS = 2_000;
/** Receive count of a message whose process has ended each time: the trigger that it begins with is set aside. */
const MAX_CRASHES = 15;

/** Executes the first of these triggers of a backlog, together with those behind it, up to `size`. */
export async function executeChunk(
  context: ExecuteChunkContext,
  executing: Executing,
  waiting: readonly WaitingTrigger[],
  size = FIRST_CHUNK,
): Promise<ChunkResult> {
  const { progress, received, group } = executing;
  const now = context.now();
  const ended = (completed: number, nextSize = size): ChunkResult => ({
    completed,
    nextSize,
    isPaused: false,
  });

  const voids = leading(waiting, (each) => progress.isVoid(each));
  if (voids.length > 0) {
    await progress.remove(voids);
    return ended(voids.length);
  }
  const isAlike = likeFirst(waiting, executing);
  const deleted = leading(waiting.slice(0, LARGEST_CHUNK), (each) => isAlike(each) && progress.isDeleted(each));
  if (deleted.length > 0) {
    await dropTriggers(context, executing, deleted);
    return ended(deleted.length);
  }
  const expired = leading(waiting, (each) => isExpired(each, now));
  if (expired.length > 0) {
    await progress.drop(expired);
    return ended(expired.length);
  }
  if (progress.dropped > 0) await reportDropped(context, executing);

  const [first] = waiting;
  if (!first) return ended(0);
  if (first.trigger?.kind === 'delete-triggers') {
    await progress.deleteBefore(first);
    await progress.complete(waiting.slice(0, 1));
    return ended(1);
  }
  if (first.rank !== 'first' && progress.deleted !== undefined) await reportDeleted(context, executing);
  const failure = progress.failureOf(first);
  if (failure && now < failure.retryAt) return { ...ended(0), isPaused: true };
  const attempts = failure?.attempts ?? 0;
  const isGivenUp = attempts >= ATTEMPTS || (received.receiveCount >= MAX_CRASHES && !progress.hasCompleted);
  if (!first.trigger || isGivenUp) {
    await setAside(context, executing, first);
    return ended(1);
  }

  const chunk = leading(
    waiting.slice(0, size),
    (each) => isAlike(each) && each.trigger !== undefined && !isExpired(each, now),
  );
  // A single trigger has all the time that is left, as if it had come by its own message.
  const isAlone = chunk.length === 1;
  const startBefore = isAlone ? group.startBefore : Math.min(group.startBefore, now + CHUNK_MS);
  if (first.rank !== 'first') await progress.start();
  const { completed, error } = await context.execute({
    ...group,
    received: chunk.flatMap(({ trigger, ...each }, index) =>
      trigger ? [receivedOf(each, trigger, { executing, attempts: index === 0 ? attempts : 0 })] : [],
    ),
    queue: fromPadded(first.sequence, executing.moved).queue,
    ignoresProgress: first.rank !== 'next',
    isRepeated: received.receiveCount > 1 && !progress.hasCompleted,
    mayStart: () => context.now() < startBefore,
    startBefore,
  });
  if (completed > 0) await progress.complete(chunk.slice(0, completed));
  const next = chunk[completed];
  if (next?.trigger && (error !== undefined || (isAlone && completed === 0))) {
    await progress.fail(next, chunk.length - completed);
    context.onReturned({ trigger: next.trigger.id, emitter: group.emitterId }, error);
    return { ...ended(completed), isPaused: true };
  }
  const isWhole = completed === chunk.length;
  return ended(completed, isWhole ? Math.min(2 * size, LARGEST_CHUNK) : Math.max(completed, 1));
}

/**
 * Whether a trigger may be executed together with the first one: it has the same rank, and came from the same queue.
 */
function likeFirst([first]: readonly WaitingTrigger[], { moved }: Executing): (each: WaitingTrigger) => boolean {
  if (!first) return () => false;
  const { queue } = fromPadded(first.sequence, moved);
  return ({ rank, sequence }) => rank === first.rank && fromPadded(sequence, moved).queue === queue;
}

/** The first ones that meet a condition. */
function leading<T>(all: readonly T[], condition: (each: T) => boolean): T[] {
  const end = all.findIndex((each) => !condition(each));
  return all.slice(0, end < 0 ? all.length : end);
}

/** Updates and deletions stay. */
const isExpired = ({ rank, sentAt }: WaitingTrigger, now: number): boolean =>
  rank === 'next' && sentAt !== undefined && now - sentAt > LONGEST_WAIT_MS;

/**
 * The time of the event ids is that of the slice, because the trigger may have waited for days. An update or deletion
 * waits for seconds. An attempt before the trigger was moved has stored its events under an earlier time.
 */
const receivedOf = (
  { rank, sequence, sentAt, attemptMs }: Omit<WaitingTrigger, 'trigger'>,
  trigger: Trigger,
  {
    executing: {
      progress: { firstMs },
      moved,
    },
    attempts,
  }: { executing: Executing; attempts: number },
): Received => ({
  trigger,
  sequence: fromPadded(sequence, moved).sequence,
  sentAt: sentAt ?? firstMs,
  firstReceivedAt: attemptMs ?? (rank === 'first' ? sentAt : undefined) ?? firstMs,
  receiveCount: attempts + 1,
});

/** Makes the trigger a dead letter, from which `redrive` sends it to its source again. Its object stays with it. */
async function setAside(
  context: ExecuteChunkContext,
  { group: { emitterId }, progress }: Executing,
  waiting: WaitingTrigger,
): Promise<void> {
  const { json: body, sequence } = waiting;
  const attributes = { MessageGroupId: emitterId, SequenceNumber: sequence };
  await context.setAside([{ body, messageId: `waiting-${emitterId}-${sequence}`, attributes }]);
  context.log('trigger.setAside', { emitter: emitterId, sequence });
  await progress.complete([{ ...waiting, objectKey: undefined }]);
}

/** Drops triggers of one rank: each gets its record and nothing runs. A repetition changes nothing. */
async function dropTriggers(
  { execute }: { execute(group: Group): Promise<GroupResult> },
  { group, progress, moved }: Executing,
  waiting: readonly WaitingTrigger[],
): Promise<void> {
  const firstReceivedAt = progress.firstMs;
  const received = waiting.flatMap(({ trigger, sequence, sentAt = firstReceivedAt }) =>
    trigger ? [{ ...fromPadded(sequence, moved), trigger, sentAt, firstReceivedAt, receiveCount: 1 }] : [],
  );
  const { error } = await execute({
    ...group,
    queue: fromPadded(waiting[0]?.sequence ?? moved.last, moved).queue,
    received,
    areDropped: true,
    ignoresProgress: waiting[0]?.rank !== 'next',
    mayStart: () => true,
  });
  if (error !== undefined) throw error;
  await progress.completeDeleted(waiting);
}
