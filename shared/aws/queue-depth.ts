import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { TtlCache } from '../lib/ttl-cache.ts';
import type { QueueOptions } from './queues.ts';

/** Time between two reads of one process. */
const READ_MS = 10_000;
const COUNTS = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;

/** Messages of a queue, about. 0 when the queue cannot be asked: that is no reason to refuse a message. */
export function createQueueDepth({ sqs, queueUrl }: QueueOptions, now: () => number): () => Promise<number> {
  const known = new TtlCache<string, Promise<number>>({ ttlMs: READ_MS, maxEntries: 1, now });

  async function read(): Promise<number> {
    const { Attributes = {} } = await sqs().send(
      new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: [...COUNTS] }),
    );
    return COUNTS.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
  }

  return () => {
    const last = known.get(queueUrl);
    if (last) return last;
    const depth = read().catch(() => 0);
    known.set(queueUrl, depth);
    return depth;
  };
}
