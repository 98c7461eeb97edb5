import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { TtlCache } from '../lib/ttl-cache.ts';
import type { QueueOptions } from './queues.ts';

/** Time between two reads of one process. */
const READ_MS = 10_000;
const COUNTS = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;

/** Time between two reports of one process. */
const REPORT_MS = 60_000;

interface QueueDepthOptions extends QueueOptions {
  /** The queue could not be asked. Called once a minute at most. */
  onFailed(error: unknown): void;
  now(): number;
}

/** Messages of a queue, about. 0 when the queue cannot be asked: that is no reason to refuse a message. */
export function createQueueDepth({ sqs, queueUrl, onFailed, now }: QueueDepthOptions): () => Promise<number> {
  const known = new TtlCache<string, Promise<number>>({ ttlMs: READ_MS, maxEntries: 1, now });
  const reported = new TtlCache<string, true>({ ttlMs: REPORT_MS, maxEntries: 1, now });

  async function read(): Promise<number> {
    const { Attributes = {} } = await sqs().send(
      new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: [...COUNTS] }),
    );
    return COUNTS.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
  }

  function failed(error: unknown): number {
    if (!reported.get(queueUrl)) {
      reported.set(queueUrl, true);
      onFailed(error);
    }
    return 0;
  }

  return () => {
    const last = known.get(queueUrl);
    if (last) return last;
    const depth = read().catch(failed);
    known.set(queueUrl, depth);
    return depth;
  };
}
