import { MAX_QUEUED_MESSAGES } from '../../../shared/domain/run/backlog-limits.ts';
import { Fifo } from '../../../shared/lib/fifo.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { Agenda } from './agenda.ts';
import { GroupQueue, type Message } from './group-queue.ts';
import { RunInstances } from './run-instances.ts';
import { Source, TriggerWork } from './trigger-work.ts';

/** Between two reads of the queue's length. */
const READ_LENGTH_MS = 10_000;
const SECOND = 1_000;

interface Load {
  /** Each of a user of its own. */
  readonly sources: number;
  /** Triggers of each source per second, at random times. */
  readonly rate: number;
  /** ms of the component's code for each trigger. */
  readonly codeMs: number;
}

export interface RunsOptions {
  /** `concurrency` of a stage. */
  readonly concurrency: { readonly runs: number; readonly runnersPerBatch: number };
  /** `limits.concurrentRuns`: long runs of a user. */
  readonly concurrentRuns: number;
  /** Instances that run the heads of backlogs at the same time. */
  readonly slices: number;
  readonly others: Load;
  /** `waiting`: triggers of each source that wait at the start. */
  readonly behind: Load & { readonly waiting: number };
  /** False: triggers wait in the queue, however old they are. */
  readonly hasBacklog: boolean;
  readonly seconds: number;
}

export interface Runs {
  /**
   * From the send of a trigger of the others to the end of its run, ms. A trigger that still waits at the end counts
   * with its age.
   */
  readonly p50: number;
  readonly p99: number;
  /** Triggers of the others, and those of them that ran. */
  readonly sent: number;
  readonly ran: number;
  /** Runs of the sources that are behind. */
  readonly ranBehind: number;
  readonly moved: number;
  readonly refused: number;
  readonly mostMessages: number;
}

/**
 * Simulates the queue `runs.fifo` and the instances of `run-source` in virtual time. The same options give the same
 * result.
 */
export function simulateRuns(options: RunsOptions): Runs {
  const { concurrency, concurrentRuns, slices, hasBacklog, seconds } = options;
  const agenda = new Agenda();
  const queue = new GroupQueue();
  const random = seededRandom(1);
  const waitedMs = new Map<Message, number | undefined>();
  let [ranBehind, refused, isFull] = [0, 0, false];

  const work = new TriggerWork({
    concurrentRuns,
    slices,
    hasBacklog,
    now: () => agenda.now,
    ran(source, trigger) {
      if (source.isBehind) ranBehind += 1;
      else waitedMs.set(trigger, agenda.now - trigger.sentAt);
    },
    sendSlice: (source) => queue.send(source.slices, agenda.now),
  });
  const instances = new RunInstances({ agenda, queue, work, concurrency });

  const addSource = ({ codeMs, rate }: Load, isBehind: boolean): Source => {
    const source = new Source(codeMs, isBehind);
    work.addSource(source);
    const pause = () => (-Math.log(1 - random()) * SECOND) / rate;
    const request = () => {
      agenda.after(pause(), request);
      if (isFull && source.backlog) refused += 1;
      else {
        const message = queue.send(source.group, agenda.now);
        if (!isBehind) waitedMs.set(message, undefined);
      }
    };
    if (rate > 0) agenda.after(pause(), request);
    return source;
  };
  for (let n = 0; n < options.others.sources; n += 1) addSource(options.others, false);
  for (let n = 0; n < options.behind.sources; n += 1) startBehind(queue, addSource(options.behind, true), options);

  const readLength = () => {
    isFull = queue.length > MAX_QUEUED_MESSAGES;
    agenda.after(READ_LENGTH_MS, readLength);
  };
  if (hasBacklog) readLength();
  agenda.run(seconds * SECOND, () => instances.receive());

  const waits = [...waitedMs].map(([{ sentAt }, ms]) => ms ?? agenda.now - sentAt).sort((a, b) => a - b);
  const quantile = (share: number) => waits[Math.floor(waits.length * share)] ?? 0;
  return {
    p50: quantile(0.5),
    p99: quantile(0.99),
    sent: waits.length,
    ran: [...waitedMs.values()].filter((ms) => ms !== undefined).length,
    ranBehind,
    moved: work.moved,
    refused,
    mostMessages: queue.mostMessages,
  };
}

/** Its triggers wait in the store with a backlog, else in the queue. */
function startBehind(queue: GroupQueue, source: Source, { behind: { waiting }, hasBacklog }: RunsOptions): void {
  if (waiting === 0) return;
  if (hasBacklog) {
    source.backlog = new Fifo();
    queue.send(source.slices, 0);
  }
  for (let n = 0; n < waiting; n += 1) {
    if (source.backlog) source.backlog.push({ group: source.group, sentAt: 0, position: 0, receives: 0 });
    else queue.send(source.group, 0);
  }
}
