import type { Clock } from '../clock.ts';
import type { Disk } from '../disk/disk.ts';
import type { Faults } from '../faults.ts';
import type { QueueRegistry } from './queue-registry.ts';
import type { Queue } from './queue/queue.ts';

/** Counts each request that is handled, with the bytes of its messages; an empty receive has 0 entries. */
export type OnRequest = (queueName: string, operation: string, entries: number, bytes: number) => void;

/** The parts of the service that its operations work on. */
export interface SqsContext {
  readonly clock: Clock;
  readonly disk: Disk;
  readonly faults: Faults;
  readonly queues: QueueRegistry;
  readonly onRequest: OnRequest | undefined;
  /** The newest task that moved messages, by the ARN of its source. */
  readonly moves: Map<string, object>;
  /** Waits until messages may be receivable or `until` has come. Resolves with false once the service closes. */
  waitForMessages(queue: Queue, until: number): Promise<boolean>;
}
