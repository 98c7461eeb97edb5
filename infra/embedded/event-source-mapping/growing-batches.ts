import { BatchGrowth } from '../sqs/queue/receive-room.ts';
import type { ReceivedMessage } from './sqs-event.ts';

/**
 * Larger batches cost less and hold the thread longer: acknowledgements take 1.8 times as long under full load, with
 * 100 messages three times.
 */
export const MAX_MESSAGES = 50;
/** As many as a batch of AWS can have. A batch ends with its slowest group, and further groups would wait for it. */
const MAX_GROUPS = 10;
/** The batch is in memory several times. Ten messages may have more, as on AWS. */
const MAX_BYTES = 1 << 20;
/** A batch that ends within this time is quick. */
const QUICK_MS = 1_000;
/** Groups with a share. The one whose share grew longest ago loses it. */
const MAX_SHARES = 1_000;

interface EndedBatch {
  readonly ms: number;
  /** Whether the function failed, or reported a failed message. */
  readonly hasFailed: boolean;
}

/**
 * The messages that a group may have in a batch beyond the ten of AWS. Its share is twice as many as it had in a quick
 * batch. After a slow or failed one it has none: a function returns the messages for which it has no time, and each
 * return raises their receive counts. Each group earns its own share, so that a quick group does not make the batches
 * of a slow one larger.
 */
export class GrowingBatches {
  readonly growth: BatchGrowth;
  readonly #shares = new Map<string, number>();

  constructor() {
    this.growth = new BatchGrowth({
      messages: MAX_MESSAGES,
      groups: MAX_GROUPS,
      bytes: MAX_BYTES,
      shares: this.#shares,
    });
  }

  ended(messages: readonly ReceivedMessage[], { ms, hasFailed }: EndedBatch): void {
    const isQuick = ms <= QUICK_MS && !hasFailed;
    for (const [group, count] of countByGroup(messages)) {
      if (isQuick) this.#grow(group, Math.min(2 * count, MAX_MESSAGES));
      else this.#shares.delete(group);
    }
  }

  /** A smaller batch takes nothing away: it shows that few messages waited. */
  #grow(group: string, share: number): void {
    if (share <= (this.#shares.get(group) ?? 0)) return;
    this.#shares.delete(group);
    this.#shares.set(group, share);
    if (this.#shares.size <= MAX_SHARES) return;
    for (const oldest of this.#shares.keys()) {
      this.#shares.delete(oldest);
      return;
    }
  }
}

function countByGroup(messages: readonly ReceivedMessage[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { Attributes } of messages) {
    const group = Attributes?.['MessageGroupId'] ?? '';
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  return counts;
}
