import type { LoggedSuccess } from '../../store/deliveries/delivery-log-item.ts';

interface SuccessWriterOptions {
  store(successes: readonly LoggedSuccess[], now: number): Promise<void>;
  now(): number;
}

export interface BatchSuccesses {
  add(success: LoggedSuccess): void;
  /** Resolves when all successes of the batch are stored. Call it once, when no further success comes. */
  end(): Promise<void>;
}

interface Group {
  successes: LoggedSuccess[];
  written: Promise<void>;
  write(): void;
}

/**
 * A delivery is listed at the latest 2 s after its attempt ended, also when another attempt of the batch takes longer.
 */
const LONGEST_WAIT_MS = 1_000;
/** While other batches are under way, a batch that ends waits this long for those that end a moment later. */
const GATHER_MS = 50;

/**
 * Writes successes to the log: one item per webhook for all batches of this process that end at the same time. A
 * process with one batch at a time, as on AWS, writes one item per webhook and batch.
 */
export function createSuccessWriter({ store, now }: SuccessWriterOptions): { open(): BatchSuccesses } {
  let underWay = 0;
  let group: Group | undefined;
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Infinity;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    dueAt = Infinity;
    group?.write();
    group = undefined;
  }

  function flushWithin(ms: number): void {
    const at = performance.now() + ms;
    if (at >= dueAt) return;
    dueAt = at;
    clearTimeout(timer);
    timer = setTimeout(flush, ms);
  }

  function newGroup(): Group {
    const successes: LoggedSuccess[] = [];
    let write = (): void => undefined;
    const written = new Promise<void>((resolve, reject) => {
      write = () => void store(successes, now()).then(resolve, reject);
    });
    // `end` reports a failure; until then the promise must not be unhandled.
    written.catch(() => undefined);
    return { successes, written, write };
  }

  return {
    open() {
      underWay += 1;
      const own = new Set<Promise<void>>();
      return {
        add(success) {
          group ??= newGroup();
          group.successes.push(success);
          own.add(group.written);
          flushWithin(LONGEST_WAIT_MS);
        },
        async end() {
          underWay -= 1;
          if (own.size === 0) return;
          if (underWay === 0) flush();
          else flushWithin(GATHER_MS);
          await Promise.all(own);
        },
      };
    },
  };
}
