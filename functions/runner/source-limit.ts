import { MAX_SYNCHRONOUS_RUNS } from '../../shared/domain/run-limits.ts';

/**
 * Requests of one source that run at the same time, each in a process of its own: all of its user's, and a batch of its
 * queue. More wait.
 */
export const MAX_PER_SOURCE = MAX_SYNCHRONOUS_RUNS + 1;
const LONGEST_WAIT_MS = 5000;

interface Source {
  running: number;
  /** Oldest first. */
  waiting: Set<() => void>;
}

/** No process of the source became free in time. */
export class SourceBusy extends Error {}

/** Limits the processes of each source, so that one source cannot take the memory of all others. */
export class SourceLimit {
  readonly #sources = new Map<string, Source>();

  /** Rejects with {@link SourceBusy} when no process becomes free within five seconds. */
  async run<T>(processKey: string, work: () => Promise<T>): Promise<T> {
    const source = this.#sources.get(processKey) ?? { running: 0, waiting: new Set() };
    this.#sources.set(processKey, source);
    if (source.running < MAX_PER_SOURCE) source.running += 1;
    else await waited(source);
    try {
      return await work();
    } finally {
      const [next] = source.waiting;
      // A waiting request takes over the permit.
      if (next) next();
      else source.running -= 1;
      if (source.running === 0) this.#sources.delete(processKey);
    }
  }
}

function waited({ waiting }: Source): Promise<void> {
  return new Promise((resolve, reject) => {
    const start = () => {
      clearTimeout(late);
      waiting.delete(start);
      resolve();
    };
    const late = setTimeout(() => {
      waiting.delete(start);
      reject(new SourceBusy(`The source already has ${MAX_PER_SOURCE} processes.`));
    }, LONGEST_WAIT_MS);
    waiting.add(start);
  });
}
