import { waitSeconds } from '../../../shared/domain/run/received-trigger.ts';
import { BEHIND_AFTER_MS, SLICE_MS, SLICE_PAUSE_SECONDS } from '../../../shared/domain/run/backlog-limits.ts';
import { BATCH_WORK_MS } from '../../../shared/domain/time-limits.ts';
import { Fifo } from '../../../shared/lib/fifo.ts';
import { billedMs } from '../costs/model.ts';
import { Group, type Message } from './group-queue.ts';
import { BATCH, BATCH_MS, runMs } from './stack-flow.ts';

/** One BatchWrite of ten triggers. */
const WRITE_MS = 10;
/** Longer runs need one of their user's permits. */
const LONG_MS = 1_000;
const RUN_TIMEOUT_MS = 60_000;
/** After so many receives a trigger runs without a permit. */
const RECEIVES_FOR_PERMIT = 12;

/** A simulated source; each has an owner of its own. */
export class Source {
  readonly codeMs: number;
  readonly isBehind: boolean;
  readonly group = new Group();
  /** The group of the message that runs the backlog's head. */
  readonly slices = new Group();
  /** Triggers in the store. Undefined without a backlog. */
  backlog: Fifo<Message> | undefined;
  longRuns = 0;

  constructor(codeMs: number, isBehind: boolean) {
    this.codeMs = codeMs;
    this.isBehind = isBehind;
  }
}

/** The messages of one group in a batch. */
export interface Work {
  readonly source: Source;
  readonly messages: readonly Message[];
  readonly isSlice: boolean;
}

/** Result of a group, known at its start. */
interface Result {
  readonly ms: number;
  readonly completed: number;
  /** Visibility timeout of the messages left. */
  readonly waitMs?: number;
  /** Called at the end. */
  end?(): void;
}

export interface ConsumerOptions {
  /** `limits.concurrentRuns`: long runs of a user. */
  readonly concurrentRuns: number;
  /** Slices of all backlogs at the same time. */
  readonly slices: number;
  /** False: triggers wait in the queue, however old they are. */
  readonly hasBacklog: boolean;
  now(): number;
  /** A trigger ended. */
  ran(source: Source, trigger: Message): void;
  /** Sends the message that runs the head of the source's backlog. */
  sendSlice(source: Source): void;
}

const REFUSED_MS = billedMs('run-source', 1) + BATCH_MS;

/** The work of `run-source` on the triggers of a group: run, move, or run the head of a backlog. */
export class TriggerWork {
  readonly #options: ConsumerOptions;
  readonly #groups = new Map<Group, Pick<Work, 'source' | 'isSlice'>>();
  /** Slices under way in all instances. */
  #slices = 0;
  moved = 0;

  constructor(options: ConsumerOptions) {
    this.#options = options;
  }

  addSource(source: Source): void {
    this.#groups.set(source.group, { source, isSlice: false });
    this.#groups.set(source.slices, { source, isSlice: true });
  }

  /** The messages of a batch by their groups. */
  of(batch: readonly Message[]): Work[] {
    return [...new Set(batch.map(({ group }) => group))].flatMap((group) => {
      const work = this.#groups.get(group);
      return work ? [{ ...work, messages: batch.filter((message) => message.group === group) }] : [];
    });
  }

  /** Whether the triggers go to the backlog. */
  #moves({ source, messages: [first], isSlice }: Work): boolean {
    const { hasBacklog, now } = this.#options;
    if (isSlice || !first) return false;
    return source.backlog !== undefined || (hasBacklog && now() - first.sentAt > BEHIND_AFTER_MS);
  }

  start(work: Work): Result {
    if (work.isSlice) return this.#slice(work.source);
    return this.#moves(work) ? this.#move(work) : this.#run(work);
  }

  #run({ source, messages }: Work): Result {
    const { hasBacklog, now, ran } = this.#options;
    const [first, second = first] = messages;
    if (!first || !second) return { ms: 0, completed: 0 };
    if (!this.#hasPermit(source) && first.receives < RECEIVES_FOR_PERMIT)
      return { ms: REFUSED_MS, completed: 0, waitMs: waitSeconds(first.receives) * 1_000 };
    // The next batch moves what has waited too long.
    const untilBehindMs = hasBacklog ? second.sentAt + BEHIND_AFTER_MS - now() : Infinity;
    const started = startedIn(source, messages.length, Math.min(untilBehindMs, BATCH_WORK_MS - RUN_TIMEOUT_MS));
    const release = this.#hold(source);
    return {
      ms: runMs(started, source.codeMs),
      completed: started,
      end: () => {
        release();
        for (const message of messages.slice(0, started)) ran(source, message);
      },
    };
  }

  #move({ source, messages }: Work): Result {
    return {
      ms: billedMs('run-source', messages.length) + WRITE_MS + BATCH_MS,
      completed: messages.length,
      end: () => {
        if (!source.backlog) this.#options.sendSlice(source);
        source.backlog ??= new Fifo();
        for (const message of messages) source.backlog.push(message);
        this.moved += messages.length;
      },
    };
  }

  #slice(source: Source): Result {
    const { slices, ran, sendSlice } = this.#options;
    if (this.#slices >= slices || !this.#hasPermit(source))
      return { ms: REFUSED_MS, completed: 0, waitMs: SLICE_PAUSE_SECONDS * 1_000 };
    const waiting = source.backlog?.length ?? 0;
    let [started, ms] = [0, 0];
    while (started < waiting && ms < SLICE_MS) {
      const batch = startedIn(source, Math.min(waiting - started, BATCH), SLICE_MS - ms);
      started += batch;
      ms += runMs(batch, source.codeMs);
    }
    const release = this.#hold(source);
    this.#slices += 1;
    return {
      ms,
      completed: 1,
      end: () => {
        release();
        this.#slices -= 1;
        for (let n = 0; n < started; n += 1) {
          const trigger = source.backlog?.shift();
          if (trigger) ran(source, trigger);
        }
        if (source.backlog?.length === 0) source.backlog = undefined;
        else sendSlice(source);
      },
    };
  }

  #hasPermit({ codeMs, longRuns }: Source): boolean {
    return codeMs < LONG_MS || longRuns < this.#options.concurrentRuns;
  }

  #hold(source: Source): () => void {
    const permits = source.codeMs < LONG_MS ? 0 : 1;
    source.longRuns += permits;
    return () => {
      source.longRuns -= permits;
    };
  }
}

/** Triggers that start before the limit, at least one: they run one after the other. */
const startedIn = ({ codeMs }: Source, most: number, limitMs: number): number =>
  Math.min(most, Math.max(1, Math.ceil(limitMs / codeMs)));
