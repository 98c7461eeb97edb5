import type { Bucket } from '../../aws/bucket.ts';
import type { SourceId } from '../../domain/id.ts';
import { type Group, type Received, waitSeconds } from '../../domain/run/received-trigger.ts';
import type { BacklogStore } from '../../store/emitters/backlog.ts';
import type { Drained, FailedTrigger, Moved } from '../../store/emitters/backlog-item.ts';
import type { WaitingTrigger, WaitingTriggerStore } from '../../store/emitters/waiting-triggers.ts';

/**
 * Triggers of one chunk. One transaction saves it: DynamoDB takes 100 writes, of which each requested run needs one,
 * and the state and `db` two.
 */
export const LARGEST_CHUNK = 90;

export interface DrainProgressContext {
  backlogs: Pick<BacklogStore, 'saveDrained'>;
  waitingTriggers: Pick<WaitingTriggerStore, 'remove'>;
  bucket: Pick<Bucket, 'delete'>;
  now(): number;
}

/** The message that executes a backlog, and the progress of the backlog. */
export interface Executing {
  group: Group;
  received: Received;
  progress: DrainProgress;
  moved: Moved;
}

/**
 * How far a backlog has been executed, and the writes that record it. A trigger is counted before it is removed.
 * Triggers up to the position are counted, so a repetition removes those that a crash left, and counts none twice.
 */
export class DrainProgress {
  readonly #context: DrainProgressContext;
  readonly #sourceId: SourceId;
  #drained: Drained;
  /**
   * `unsaved` as this process knows it. The item has the largest number while the process executes triggers, because it
   * may end.
   */
  #unsaved: number;
  #isExecuting = false;
  #hasCompleted = false;

  constructor(context: DrainProgressContext, sourceId: SourceId, drained: Drained) {
    this.#context = context;
    this.#sourceId = sourceId;
    this.#drained = drained;
    this.#unsaved = drained.unsaved;
  }

  /** Whether this process has completed a trigger of the backlog. */
  get hasCompleted(): boolean {
    return this.#hasCompleted;
  }

  get dropped(): number {
    return this.#drained.dropped;
  }

  /** The time of the next event ids, epoch ms. */
  get firstMs(): number {
    return this.#drained.firstMs;
  }

  get position(): string {
    return this.#drained.position;
  }

  /** Number of triggers that the owner had dropped; undefined while there are none to drop or to report. */
  get deleted(): number | undefined {
    return this.#drained.deletion?.count;
  }

  /** Whether the owner has the trigger dropped. Those that earlier releases stored are older than the request. */
  isDeleted({ rank, sequence }: WaitingTrigger): boolean {
    const { deletion } = this.#drained;
    if (!deletion || rank === 'first') return false;
    return rank === 'kept' || sequence < deletion.until;
  }

  /** Has the triggers before this one dropped. */
  async deleteBefore({ sequence }: Pick<WaitingTrigger, 'sequence'>): Promise<void> {
    const count = this.#drained.deletion?.count ?? 0;
    await this.#save({ ...this.#drained, deletion: { until: sequence, count } });
  }

  async deletionReported(): Promise<void> {
    await this.#save({ ...this.#drained, deletion: undefined });
  }

  /** Set for this trigger if its last attempt failed. */
  failureOf({ sequence }: Pick<WaitingTrigger, 'sequence'>): FailedTrigger | undefined {
    const { failed } = this.#drained;
    return failed?.sequence === sequence ? failed : undefined;
  }

  /** Whether a trigger was counted before, or belongs to no backlog: a crash left it. It must not be executed. */
  isVoid({ rank, sequence }: WaitingTrigger): boolean {
    return rank === 'next' && (sequence < this.#drained.id || sequence <= this.#drained.position);
  }

  /** Counts and removes executed triggers. */
  async complete(waiting: readonly WaitingTrigger[]): Promise<void> {
    await this.#save({ ...this.#with(waiting), failed: undefined });
    this.#hasCompleted = true;
    await this.remove(waiting);
  }

  /** Counts and removes triggers that the owner has dropped. */
  async completeDeleted(waiting: readonly WaitingTrigger[]): Promise<void> {
    const { deletion } = this.#drained;
    await this.#save({
      ...this.#with(waiting),
      deletion: deletion && { ...deletion, count: deletion.count + waiting.length },
      failed: undefined,
    });
    await this.remove(waiting);
  }

  /** Counts and removes triggers that have waited for too long. */
  async drop(waiting: readonly WaitingTrigger[]): Promise<void> {
    const counted = this.#with(waiting);
    await this.#save({ ...counted, dropped: counted.dropped + waiting.length, failed: undefined });
    await this.remove(waiting);
  }

  /** Counts what the table has removed by itself, when nothing is left of what was moved. */
  async countRemoved({ count, bytes }: Pick<Moved, 'count' | 'bytes'>): Promise<void> {
    const missing = count - this.#drained.count;
    if (missing > 0) await this.#save({ ...this.#drained, count, bytes, dropped: this.#drained.dropped + missing });
  }

  async reported(): Promise<void> {
    await this.#save({ ...this.#drained, dropped: 0 });
  }

  /** Counts a failed attempt, which may have stored events of this many triggers. */
  async fail({ sequence }: WaitingTrigger, tried: number): Promise<void> {
    const { attempts } = this.failureOf({ sequence }) ?? { attempts: 0 };
    const retryAt = this.#context.now() + waitSeconds(attempts + 1) * 1_000;
    this.#unsaved = Math.max(this.#unsaved, tried);
    await this.#close({ failed: { sequence, attempts: attempts + 1, retryAt } });
  }

  begin(chain: string): Promise<void> {
    return this.#open({ chain, isWaiting: undefined });
  }

  /** Called before triggers are executed. */
  async start(): Promise<void> {
    if (!this.#isExecuting) await this.#open({});
  }

  /** Called when a later message continues the work. */
  async stop(): Promise<void> {
    if (this.#isExecuting) await this.#close({});
  }

  wait(): Promise<void> {
    return this.#close({ isWaiting: true });
  }

  /** Events that an earlier attempt may have stored keep their ids, and so their time. */
  async #open(changes: Partial<Drained>): Promise<void> {
    const { firstMs } = this.#drained;
    await this.#save({
      ...this.#drained,
      ...changes,
      firstMs: this.#unsaved > 0 ? firstMs : this.#context.now(),
      unsaved: LARGEST_CHUNK,
    });
    this.#isExecuting = true;
  }

  async #close(changes: Partial<Drained>): Promise<void> {
    await this.#save({ ...this.#drained, ...changes, unsaved: this.#unsaved });
    this.#isExecuting = false;
  }

  /** Removes triggers without counting them, their objects first. */
  async remove(waiting: readonly WaitingTrigger[]): Promise<void> {
    const { bucket, waitingTriggers } = this.#context;
    await Promise.all(waiting.map(({ objectKey }) => objectKey !== undefined && bucket.delete(objectKey)));
    await waitingTriggers.remove(this.#sourceId, waiting);
  }

  #with(waiting: readonly WaitingTrigger[]): Drained {
    const counted = waiting.filter(({ rank }) => rank === 'next');
    this.#unsaved = Math.max(0, this.#unsaved - counted.length);
    return {
      ...this.#drained,
      position: counted.at(-1)?.sequence ?? this.#drained.position,
      count: this.#drained.count + counted.length,
      bytes: this.#drained.bytes + counted.reduce((sum, { bytes }) => sum + bytes, 0),
    };
  }

  async #save(drained: Drained): Promise<void> {
    const saved = { ...drained, at: this.#context.now() };
    await this.#context.backlogs.saveDrained(this.#sourceId, saved);
    this.#drained = saved;
  }
}
