import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { Receipts } from '../aws/queue-receipts.ts';
import { type Group, type GroupResult, ATTEMPTS, type Received, waitSeconds } from '../domain/run/received-trigger.ts';
import { parseTrigger } from '../domain/run/runs-message.ts';
import { type EmitterId, isSourceId } from '../domain/id.ts';
import { isNoticesId } from '../domain/notice/notices-emitter.ts';
import { createLimiter } from '../lib/limiter.ts';
import { BATCH_WORK_MS } from '../domain/time-limits.ts';
import type { DrainMessage, Trigger } from '../domain/run/message.ts';
import { describeError, type Log } from './log.ts';
import {
  type BatchContext,
  type FailureOptions,
  attempted,
  type Failed,
  failing,
  logBatch,
  type QueueMessage,
  readBatch,
  returnFailed,
} from './queue.ts';

export interface RunBatchOptions extends FailureOptions {
  execute(group: Group): Promise<GroupResult>;
  receipts: Receipts;
  /** Time limit of one run. */
  runTimeoutMs: number;
  /** Groups of sources that execute at the same time. Each of them invokes one runner at a time. */
  runnersPerBatch: number;
  now(): number;
}

/** Messages of a completed group are deleted after this, while other groups may run for minutes. */
const EARLY_DELETE_MS = 250;
/** Later than any time, epoch ms. */
const LAST = 2 ** 50;

type Message = QueueMessage<Trigger | DrainMessage>;

interface EndedGroup {
  messages: readonly Message[];
  result: GroupResult;
}

/**
 * Executes a batch of several groups: groups run concurrently, the triggers of a group in order. A group that gets no
 * runner in time is received again.
 */
export const createRunBatch =
  ({ execute, runTimeoutMs, runnersPerBatch, now, ...options }: RunBatchOptions) =>
  async (event: SQSEvent, { awsRequestId: id }: BatchContext): Promise<SQSBatchResponse> => {
    const started = now();
    const { receipts, log } = options;
    const { messages, returned: unreadable } = await readBatch(event, { ...options, parse: parseTrigger });
    const early = earlyRemovals(receipts, log);
    const withRunner = createLimiter(runnersPerBatch);

    const executed = async (emitterId: EmitterId, own: readonly Message[]): Promise<EndedGroup> => {
      const result = await execute({
        batch: id,
        emitterId,
        queue: own[0]?.record.eventSourceARN ?? '',
        received: own.map(receivedOf),
        mayStart: (limitMs) => now() - started + limitMs <= BATCH_WORK_MS,
        startBefore: started + BATCH_WORK_MS - runTimeoutMs,
      });
      early.add(own.slice(0, result.completed).map(({ record }) => record.receiptHandle));
      return { messages: own, result };
    };
    const ended = await Promise.all(
      oldestFirst(groupsOf(messages)).map(({ emitterId, own }) => {
        const needsRunner = isSourceId(emitterId) && !isNoticesId(emitterId);
        return needsRunner ? withRunner(() => executed(emitterId, own)) : executed(emitterId, own);
      }),
    );
    await early.stop();

    for (const { messages: own, result } of ended) {
      const first = own[result.completed];
      if (!first || result.error === undefined) continue;
      const { id, emitterId } = first.message;
      log.warn('trigger.returned', { trigger: id, emitter: emitterId, error: describeError(result.error) });
    }
    const returned = [...unreadable, ...(await returnFailed(ended.flatMap(failedOf), options))];
    logBatch(log, { id, ms: now() - started }, { messages: event.Records.length, returned: returned.length });
    return failing(returned);
  };

/**
 * Deletes messages of completed groups while others still run. A short batch needs no early delete: the Lambda response
 * deletes its messages.
 */
function earlyRemovals(receipts: Receipts, log: Log) {
  const timers = new Set<NodeJS.Timeout>();
  const underway = new Set<Promise<unknown>>();
  return {
    add(handles: readonly string[]): void {
      const timer = setTimeout(() => {
        timers.delete(timer);
        underway.add(attempted(log, () => receipts.remove(handles)));
      }, EARLY_DELETE_MS);
      timers.add(timer);
    },
    async stop(): Promise<void> {
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(underway);
    },
  };
}

interface MessageGroup {
  emitterId: EmitterId;
  own: Message[];
}

/** A source with a backlog has two groups. */
function groupsOf(messages: readonly Message[]): MessageGroup[] {
  const groups = new Map<string, MessageGroup>();
  for (const message of messages) {
    const { emitterId } = message.message;
    const id = message.record.attributes.MessageGroupId ?? emitterId;
    const group = groups.get(id);
    if (group) group.own.push(message);
    else groups.set(id, { emitterId, own: [message] });
  }
  return [...groups.values()];
}

/**
 * In the order of their first messages, so that no group waits behind the same others in batch after batch. Backlogs
 * come last: they take as much time as a batch may have.
 */
const oldestFirst = (groups: readonly MessageGroup[]): MessageGroup[] => {
  const sentAt = ({ own: [first] }: MessageGroup) =>
    (first?.message.kind === 'drain' ? LAST : 0) + Number(first?.record.attributes.SentTimestamp);
  return [...groups].sort((a, b) => sentAt(a) - sentAt(b));
};

const receivedOf = ({ message, record: { attributes } }: Message): Received => ({
  trigger: message,
  sequence: attributes.SequenceNumber ?? '0',
  sentAt: Number(attributes.SentTimestamp),
  firstReceivedAt: Number(attributes.ApproximateFirstReceiveTimestamp),
  receiveCount: Number(attributes.ApproximateReceiveCount),
});

/**
 * The messages left: a pause for the first one, none for those behind it, which FIFO order holds back. The first one is
 * set aside when it failed at each {@link ATTEMPTS}th receive: those behind it have the same count, and get as many
 * attempts of their own. A message of a backlog sets aside its triggers itself.
 */
function failedOf({ messages, result: { completed, error, pauseSeconds = 0 } }: EndedGroup): Failed[] {
  return messages.slice(completed).map(({ message, record }, index) => {
    const receives = Number(record.attributes.ApproximateReceiveCount);
    const seconds = index > 0 ? 0 : error === undefined ? pauseSeconds : waitSeconds(receives);
    const isWorn = receives % ATTEMPTS === 0 && message.kind !== 'drain';
    return { record, seconds, isLast: isWorn && index === 0 && completed === 0 && error !== undefined };
  });
}
