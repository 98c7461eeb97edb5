import { isSourceId, type SourceId } from '../../domain/id.ts';
import { SLICE_MS, SLICE_PAUSE_SECONDS } from '../../domain/run/backlog-limits.ts';
import type { DrainMessage } from '../../domain/run/message.ts';
import type { Group, GroupResult, Received } from '../../domain/run/received-trigger.ts';
import type { Source } from '../../domain/source/source.ts';
import type { Backlog, Drained } from '../../store/emitters/backlog-item.ts';
import { ALL_BACKLOGS, type PermitStore } from '../../store/emitters/run-permits.ts';
import type { WaitingTrigger, WaitingTriggerStore } from '../../store/emitters/waiting-triggers.ts';
import { isStalled, nextDrain } from './drain-messages.ts';
import { DrainProgress } from './drain-progress.ts';
import { noticeBehind, type NoticeBehindContext, reportDeleted } from './dropped-notice.ts';
import { endBacklog, type EndBacklogContext } from './end-backlog.ts';
import { executeChunk, FIRST_CHUNK } from './execute-chunk.ts';

export interface DrainBacklogContext extends EndBacklogContext, NoticeBehindContext {
  waitingTriggers: EndBacklogContext['waitingTriggers'] & Pick<WaitingTriggerStore, 'first' | 'next'>;
  sendDrain(message: DrainMessage): Promise<void>;
  slicePermits: PermitStore<typeof ALL_BACKLOGS>;
  /** Messages that execute backlogs at the same time, in all instances. */
  maxSlices: number;
  runTimeoutMs: number;
}

/** Triggers that are read at a time. */
const PAGE = 100;
/** The queue sets a message aside after 20 receives: one that pauses is replaced before. */
const MAX_PAUSES = 8;

/** Executes messages of the second message group of a source. */
export async function drainBacklog(context: DrainBacklogContext, group: Group): Promise<GroupResult> {
  let completed = 0;
  try {
    for (const received of group.received) {
      const { trigger: message } = received;
      if (message.kind === 'drain' && isSourceId(message.emitterId)) {
        const slice = { group, received, message, sourceId: message.emitterId };
        const end = await withPermit(context, (permit) => executeSlice(context, slice, permit));
        if (end === 'pause' && received.receiveCount < MAX_PAUSES)
          return { completed, pauseSeconds: SLICE_PAUSE_SECONDS };
        if (end !== 'done') await context.sendDrain(nextDrain(message, context.now()));
      }
      completed += 1;
    }
    return { completed };
  } catch (error) {
    return { completed, error };
  }
}

/**
 * All sources that are behind together leave one instance of the stage to the others. Gives the permit back, which
 * becomes void if the process ends before.
 */
async function withPermit<T>(
  { slicePermits, maxSlices, now }: DrainBacklogContext,
  work: (hasPermit: () => Promise<boolean>) => Promise<T>,
): Promise<T> {
  let permit: string | undefined;
  try {
    return await work(async () => {
      permit ??= await slicePermits.take(ALL_BACKLOGS, { limit: maxSlices, now: now() });
      return permit !== undefined;
    });
  } finally {
    if (permit !== undefined) await slicePermits.release(ALL_BACKLOGS, permit).catch(() => undefined);
  }
}

interface Slice {
  group: Group;
  received: Received;
  message: DrainMessage;
  sourceId: SourceId;
}

/** `next`: the next message of the chain goes on. `pause`: after a failure. */
type SliceEnd = 'done' | 'next' | 'pause';

/**
 * The work of one message: executes the head of a backlog in order, for {@link SLICE_MS}. Messages of the group are
 * executed one after the other, and the source's own group only moves triggers while the backlog exists, so nothing
 * else executes triggers of the source.
 *
 * Each line may be repeated, and the process may end after each: the message then comes again. Triggers whose results
 * are saved are not executed again (`done` in the emitter's state), and those that are counted are not counted again.
 * The next message is sent before this one is deleted. A message of another chain executes updates and deletions only,
 * unless the chain has ended. `hasPermit` is asked for other triggers only.
 */
async function executeSlice(
  context: DrainBacklogContext,
  slice: Slice,
  hasPermit: () => Promise<boolean>,
): Promise<SliceEnd> {
  const { emitters, waitingTriggers, now } = context;
  const { group, received, message, sourceId } = slice;
  const until = now() + SLICE_MS;
  let emitter = await emitters.load(sourceId);
  const { backlog } = emitter;
  if (!backlog || backlog.moved.id !== message.backlog) return 'done';
  const { id } = backlog.moved;
  const progress = new DrainProgress(context, sourceId, backlog.drained ?? nothingDrained(id));
  const goesOn = isChainOf(backlog, message, now());
  if (goesOn && (backlog.drained?.chain !== message.chain || backlog.drained.isWaiting))
    await progress.begin(message.chain);

  const executing = { group, received, progress, moved: backlog.moved };
  const isCounted = ({ sequence }: WaitingTrigger) => sequence <= executing.moved.last;
  const leave = async (end: SliceEnd): Promise<SliceEnd> => {
    await progress.stop();
    return end;
  };
  let size = FIRST_CHUNK;
  for (let page: WaitingTrigger[] = []; ;) {
    // Updates are read after the last number: one that comes later lets the backlog not end.
    if (page.length === 0) {
      emitter = await emitters.load(sourceId);
      if (emitter.backlog?.moved.id !== id) return 'done';
      executing.moved = emitter.backlog.moved;
    }
    const [first] = await waitingTriggers.first(sourceId, 1);
    if (first && isCounted(first)) {
      const { isPaused } = await executeChunk(context, executing, [first]);
      if (isPaused) return goesOn ? leave('pause') : 'done';
      page = [];
      continue;
    }
    if (first) {
      executing.moved = (await emitters.load(sourceId)).backlog?.moved ?? executing.moved;
      // An earlier one of its batch may be there now.
      if (isCounted(first)) continue;
    }
    if (!goesOn) return 'done';
    if (now() >= until || !group.mayStart(context.runTimeoutMs)) return leave('next');
    if (!(await hasPermit())) return leave('pause');
    if (page.length === 0) page = await waitingTriggers.next(sourceId, { last: executing.moved.last, limit: PAGE });
    const [oldest] = page;
    if (isOff(emitter.source) && !(oldest && progress.isDeleted(oldest))) {
      if (progress.deleted !== undefined) await reportDeleted(context, executing);
      await progress.wait();
      return 'done';
    }
    await noticeBehind(context, emitter.source, oldest);
    if (page.length === 0) {
      if (await endBacklog(context, executing, emitter)) return 'done';
      continue;
    }
    const done = await executeChunk(context, executing, page, size);
    if (done.isPaused) return leave('pause');
    page = page.slice(done.completed);
    size = done.nextSize;
  }
}

const nothingDrained = (id: string): Drained => ({
  id,
  chain: '',
  position: '',
  count: 0,
  bytes: 0,
  at: 0,
  firstMs: 0,
  unsaved: 0,
  dropped: 0,
});

/** Whether the message executes the backlog: it belongs to the chain that does, or begins the next one. */
const isChainOf = ({ drained }: Backlog, { chain }: DrainMessage, now: number): boolean =>
  !drained || drained.chain === chain || drained.isWaiting === true || isStalled(drained, now);

/** The backlog of such a source waits until its owner changes that. Without a source its triggers are dropped. */
const isOff = (source: Source | undefined): boolean =>
  source !== undefined &&
  (source.suspension !== undefined || source.state === 'inactive' || source.state === 'deleting');
