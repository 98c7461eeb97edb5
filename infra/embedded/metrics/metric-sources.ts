import * as z from 'zod';
import type { HealthCheck } from '../health.ts';
import type { OpenCloud } from '../open-cloud.ts';
import type { MessageCounts } from '../sqs/queue/queue.ts';
import type { RequestTotals } from './request-totals.ts';
import type { ServiceTotals } from './service-totals.ts';

/** A queue whose messages functions take. */
interface WatchedQueue {
  readonly name: string;
  counts(): MessageCounts;
  /** Age of the oldest message, ms; undefined without messages. */
  oldestAge(): number | undefined;
  deadLetters(): number;
}

/** The numbers of a page of metrics, as they are now. Reading them costs the same for any number of users. */
export interface MetricSources {
  readonly requests: RequestTotals;
  readonly services: ServiceTotals;
  readonly queues: readonly WatchedQueue[];
  readonly health: HealthCheck;
  streamCount(): number;
}

const Queues = z.record(z.string(), z.object({ url: z.string(), deadLettersUrl: z.string() }));

/** The queues by the names that the operator's commands use. */
export function watchedQueues({ outputs, services: { stack, sqs } }: OpenCloud): WatchedQueue[] {
  const queues = stack.ofType('AWS::SQS::Queue');
  const arnOf = (url: string) => queues.find(({ ref }) => ref === url)?.attributes['Arn'] ?? '';
  return Object.entries(Queues.parse(JSON.parse(outputs['Queues'] ?? '{}'))).map(([name, { url, deadLettersUrl }]) => {
    const [arn, deadLetters] = [arnOf(url), arnOf(deadLettersUrl)];
    return {
      name,
      counts: () => sqs.countsOf(arn),
      oldestAge: () => sqs.oldestAgeOf(arn),
      deadLetters: () => sqs.countsOf(deadLetters).visible,
    };
  });
}
