import type { Bucket } from '../../aws/bucket.ts';
import { waitingPayloadKey } from '../../aws/object-keys.ts';
import { isOwnObject } from '../../domain/event/payload.ts';
import type { SourceId } from '../../domain/id.ts';
import { BEHIND_AFTER_MS, LARGEST_WAITING_BYTES } from '../../domain/run/backlog-limits.ts';
import type { DrainMessage, Trigger } from '../../domain/run/message.ts';
import { isDone, isMending, type Received } from '../../domain/run/received-trigger.ts';
import type { Source } from '../../domain/source/source.ts';
import type { BacklogStore } from '../../store/emitters/backlog.ts';
import { type Backlog, type Moved, padded } from '../../store/emitters/backlog-item.ts';
import type { Emitter, EmitterStore } from '../../store/emitters/emitters.ts';
import type { NewWaiting, WaitingTriggerStore } from '../../store/emitters/waiting-triggers.ts';
import { firstDrain, isStalled, wakeUp } from './drain-messages.ts';

export interface MoveTriggersContext {
  emitters: Pick<EmitterStore, 'load'>;
  backlogs: Pick<BacklogStore, 'begin' | 'add'>;
  waitingTriggers: Pick<WaitingTriggerStore, 'put' | 'remove' | 'next'>;
  bucket: Pick<Bucket, 'putText' | 'delete'>;
  sendDrain(message: DrainMessage): Promise<void>;
  /** Writes one log line. */
  log(message: string, fields: Readonly<Record<string, string>>): void;
  now(): number;
}

interface MoveInput {
  queue: string;
  /** The emitter that was loaded before. */
  emitter: Emitter;
  /** In order; the first is the oldest of the source. */
  received: readonly Received[];
}

/**
 * Moves triggers of a source that is behind to its backlog. Only the consumer of the source's message group calls this,
 * so the triggers come in order. Returns how many were moved: 0 when the source has no backlog and needs none;
 * undefined when its backlog ended meanwhile, and the emitter has to be loaded again.
 *
 * Each line may be repeated, and the process may end after each. The triggers are stored before they are counted, and
 * counted before their messages are deleted. Triggers that were counted are not stored again. Triggers that were stored
 * and not counted are overwritten by the repetition, and nothing executes them before. When the backlog ends between
 * the load and the count, the count fails: the source's group then executes its messages itself. Their stored triggers
 * are removed; those that a crash leaves are void, because they are older than the next backlog. The message that
 * executes the backlog is sent after the count and before the messages are deleted.
 */
export async function moveTriggers(
  context: MoveTriggersContext,
  { queue, emitter, received: messages }: MoveInput,
): Promise<number | undefined> {
  const { source, backlog } = emitter;
  const queueNumber = queueNumberOf(backlog, queue);
  const received = messages.map((message) => ({
    ...message,
    sequence: padded(message.sequence, queueNumber),
  }));
  const [oldest] = received;
  if (!source || !oldest) return 0;
  // A repetition of triggers that are done would begin a backlog of the same name again, whose first message the queue
  // would drop.
  const [message] = messages;
  if (!backlog && message && isDone(emitter.state.done, { queue }, message)) return 0;
  if (!backlog && !(await needsBacklog(context, source, oldest))) return 0;
  const id = backlog?.moved.id ?? oldest.sequence;
  const uncounted = received.filter(({ sequence }) => sequence > (backlog?.moved.last ?? ''));
  const last = uncounted.at(-1);
  let drained = backlog?.drained;
  if (last) {
    const { waiting, tick } = withoutLateTicks(source, backlog, uncounted);
    const stored = await Promise.all(waiting.map((each) => toStore(context, source.id, each)));
    const bytes = await context.waitingTriggers.put(source.id, stored);
    const next = bytes.filter((_, index) => stored[index]?.rank === 'next');
    const added = {
      last: last.sequence,
      queue,
      queueNumber,
      count: next.length,
      bytes: next.reduce((sum, each) => sum + each, 0),
      tick,
    };
    const { backlogs } = context;
    const isCounted = backlog ? await backlogs.add(source.id, id, added) : await backlogs.begin(source.id, id, added);
    if (!isCounted) {
      const current = (await context.emitters.load(source.id)).backlog;
      // The SDK repeats a request whose response was lost.
      if (current?.moved.id !== id || current.moved.last < added.last) {
        await removeStored(context, source.id, stored);
        return undefined;
      }
      drained = current.drained;
    }
    if (!backlog) context.log('backlog.began', { emitter: source.id });
  }
  await drain(context, source, { id, drained, received });
  return received.length;
}

/** The next messages of a source whose data was restored come from another queue, and wait behind all others. */
const queueNumberOf = (backlog: Backlog | undefined, queue: string): number =>
  backlog ? backlog.moved.queueNumber + (backlog.moved.queue === queue ? 0 : 1) : 0;

/**
 * Whether the source gets a backlog: it is behind, or its owner is suspended. Updates and deletions wait for nothing.
 */
async function needsBacklog(
  { waitingTriggers, now }: MoveTriggersContext,
  { id, state, suspension }: Source,
  { trigger, sentAt }: Received,
): Promise<boolean> {
  // After a suspension by an earlier release.
  if (trigger.kind === 'drain') return (await waitingTriggers.next(id, { last: '', limit: 1 })).length > 0;
  if (isMending(trigger) || state === 'failed') return false;
  return suspension !== undefined || now() - sentAt >= BEHIND_AFTER_MS;
}

type WaitingReceived = Received & { trigger: Trigger };

/**
 * The triggers to store. A timer tick is dropped while an earlier tick of the same timer waits and will do its work, as
 * is a tick of a suspended source.
 */
function withoutLateTicks(
  { suspension }: Pick<Source, 'suspension'>,
  backlog: Backlog | undefined,
  received: readonly Received[],
): { waiting: WaitingReceived[]; tick: Moved['tick'] } {
  const waiting: WaitingReceived[] = [];
  let known = backlog?.moved.tick;
  let tick: Moved['tick'];
  if (known && known.sequence <= (backlog?.drained?.position ?? '')) known = undefined;
  for (const { trigger, ...message } of received) {
    if (trigger.kind === 'drain') continue;
    if (trigger.kind === 'run' && trigger.generation !== undefined) {
      if (suspension || known?.generation === trigger.generation) continue;
      tick = known = { sequence: message.sequence, generation: trigger.generation };
    }
    waiting.push({ trigger, ...message });
  }
  return { waiting, tick };
}

/** Writes the payload of a larger trigger to the bucket, unless it is there. */
async function toStore(
  { bucket }: Pick<MoveTriggersContext, 'bucket'>,
  sourceId: SourceId,
  { trigger, sequence, sentAt, firstReceivedAt, receiveCount }: WaitingReceived,
): Promise<NewWaiting> {
  const waiting = {
    rank: isMending(trigger) ? 'first' : 'next',
    sequence,
    sentAt,
    attemptMs: receiveCount > 1 ? firstReceivedAt : undefined,
  } as const;
  if ((trigger.kind !== 'run' && trigger.kind !== 'emit') || !trigger.payload) return { ...waiting, trigger };
  // The object of a trigger that was too large for a message is counted by itself.
  if (isOwnObject(trigger.payload)) return { ...waiting, trigger, object: { key: trigger.payload.key, bytes: 0 } };
  if (!('json' in trigger.payload)) return { ...waiting, trigger };
  const utf8 = Buffer.from(trigger.payload.json);
  if (utf8.length <= LARGEST_WAITING_BYTES) return { ...waiting, trigger };
  const key = waitingPayloadKey(sourceId, sequence);
  await bucket.putText(key, utf8);
  return { ...waiting, trigger: { ...trigger, payload: { key } }, object: { key, bytes: utf8.length } };
}

async function removeStored(
  { waitingTriggers, bucket }: MoveTriggersContext,
  sourceId: SourceId,
  stored: readonly NewWaiting[],
): Promise<void> {
  // The messages need their own objects.
  const written = stored.flatMap(({ object }) => (object && object.bytes > 0 ? [object.key] : []));
  await Promise.all(written.map((key) => bucket.delete(key)));
  await waitingTriggers.remove(sourceId, stored);
}

/**
 * Lets the backlog be executed: until its first message has begun, for each update or deletion, for a user who was
 * resumed, and when nothing has been executed for longer than a message may take.
 */
async function drain(
  { sendDrain, now }: MoveTriggersContext,
  { id: emitterId, ownerId }: Pick<Source, 'id' | 'ownerId'>,
  { id, drained, received }: { id: string; drained: Backlog['drained']; received: readonly Received[] },
): Promise<void> {
  const about = { emitterId, ownerId, at: now(), backlog: id };
  if (!drained) return sendDrain(firstDrain(about));
  for (const { trigger, sequence } of received)
    if (trigger.kind === 'drain' || isMending(trigger)) await sendDrain(wakeUp(about, sequence));
  if (isStalled(drained, now())) await sendDrain(wakeUp(about, `s${drained.at}`));
}
