import type { EmbeddedService } from './call.ts';
import { eventBridgeService } from './eventbridge/service.ts';
import type { Clock } from './clock.ts';
import type { SqsService } from './sqs/service.ts';
import type { Interpretation } from './template/interpret.ts';

/** Messages and events for which a user has no consumer must not fill memory and disk: the oldest of each queue go. */
const KEPT = { messageRetentionPeriod: 3_600, keptBytes: 8 << 20 };
/** An event has more than its entry. */
const MAX_RECORD_BYTES = 2_097_152;

/** The queue that records the events of a bus. */
export const recordOf = (bus: string): string => `events-of-${bus}`;

interface TargetsOptions {
  stack: Interpretation;
  sqs: SqsService;
  clock: Clock;
  region: string;
  account: string;
}

/** Creates the buses and queues that the stack names as targets. On AWS they belong to other stacks. */
export async function openTargets({ stack, sqs, ...common }: TargetsOptions): Promise<EmbeddedService> {
  const arns = String(stack.outputs['Targets'] ?? '').split(',');
  const namesOf = (start: string) => arns.filter((arn) => arn.startsWith(start)).map((arn) => arn.slice(start.length));
  const { region, account } = common;
  const buses = new Set(namesOf(`arn:aws:events:${region}:${account}:event-bus/`));
  const queues = namesOf(`arn:aws:sqs:${region}:${account}:`);
  for (const name of queues) await sqs.createQueue({ name, fifo: name.endsWith('.fifo'), ...KEPT });
  const records = new Map<string, string>();
  for (const bus of buses) {
    const spec = { name: recordOf(bus), maximumMessageSize: MAX_RECORD_BYTES, ...KEPT };
    records.set(bus, (await sqs.createQueue(spec)).url);
  }
  return eventBridgeService({
    ...common,
    buses,
    record: (bus, event) => sqs.call('SendMessage', { QueueUrl: records.get(bus), MessageBody: event }, 'EventBridge'),
  });
}
