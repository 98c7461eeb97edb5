import type { Agenda } from './agenda.ts';
import type { GroupQueue, Message } from './group-queue.ts';
import type { TriggerWork } from './trigger-work.ts';

/** A completed group's messages are deleted after this, while others of its batch run. */
const EARLY_DELETE_MS = 250;

interface InstancesOptions {
  readonly agenda: Agenda;
  readonly queue: GroupQueue;
  readonly work: TriggerWork;
  /** `concurrency` of a stage. */
  readonly concurrency: { readonly runs: number; readonly runnersPerBatch: number };
}

/** The instances of `run-source`, each with one batch at a time. */
export class RunInstances {
  readonly #options: InstancesOptions;
  #busy = 0;

  constructor(options: InstancesOptions) {
    this.#options = options;
  }

  /** Starts a batch on each free instance, as long as there are messages. */
  receive(): void {
    const { agenda, queue, concurrency } = this.#options;
    while (this.#busy < concurrency.runs) {
      const messages = queue.receive(agenda.now);
      if (messages.length === 0) return;
      this.#busy += 1;
      this.#start(messages);
    }
  }

  /**
   * Groups run concurrently, each with a runner of its own. A slice of a backlog comes last, so that no other group
   * waits for it.
   */
  #start(batch: readonly Message[]): void {
    const { agenda, queue, work, concurrency } = this.#options;
    const pending = work.of(batch).sort((a, b) => Number(a.isSlice) - Number(b.isSlice));
    const undeleted = new Set<Message>();
    let underWay = 0;
    const remove = (messages: Iterable<Message>) => {
      for (const message of messages) if (undeleted.delete(message)) queue.delete(message);
    };
    const startNext = () => {
      while (underWay < concurrency.runnersPerBatch) {
        const next = pending.shift();
        if (!next) break;
        const { ms, completed, waitMs = 0, end } = work.start(next);
        underWay += 1;
        agenda.after(ms, () => {
          end?.();
          const done = next.messages.slice(0, completed);
          for (const message of done) undeleted.add(message);
          queue.giveBack(next.messages.slice(completed), agenda.now + waitMs);
          if (waitMs > 0) agenda.after(waitMs, () => this.receive());
          agenda.after(EARLY_DELETE_MS, () => remove(done));
          underWay -= 1;
          startNext();
        });
      }
      if (underWay > 0) return;
      remove(undeleted);
      this.#busy -= 1;
    };
    startNext();
  }
}
