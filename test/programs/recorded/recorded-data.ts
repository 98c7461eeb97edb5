import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { openDataDirectory } from '../../../infra/embedded/disk/data-directory.ts';
import { encodeAttributes } from '../../../infra/embedded/dynamodb/values/attribute-value.ts';
import { parseItem } from '../../../infra/embedded/dynamodb/rows/item-text.ts';
import { Message, type QueueName, QueueNames } from './queue-messages.ts';
import { recorded } from './unpack.ts';

/** The schedule as the service made it. EventBridge Scheduler fills the time into its message. */
const RecordedSchedule = z.object({ name: z.string(), queue: QueueNames, input: z.string() });

export const RecordedData = z.object({
  at: z.number(),
  ids: z.record(z.string(), z.string()),
  /** In DynamoDB's own JSON. */
  items: z.array(z.record(z.string(), z.record(z.string(), z.unknown()))),
  waiting: z.array(z.object({ queue: QueueNames, message: Message })),
  schedules: z.array(RecordedSchedule),
});
export type RecordedData = z.infer<typeof RecordedData>;

const Schedule = z.object({
  definition: z.object({ name: z.string(), target: z.object({ arn: z.string(), input: z.string() }) }),
});

/** A queue's name in its logical id, which begins its ARN's last part and its rows on disk. */
const queueOf = (text: string): QueueName =>
  QueueNames.parse(/(?:^q\/|:)(Runs|Deliveries|Retries|Timers)Queue/.exec(text)?.[1]?.toLowerCase());

/** The items, messages and schedules of a recorded data directory. */
export async function readRecording(name: string): Promise<RecordedData> {
  const recording = recorded(name);
  const folder = mkdtempSync(join(tmpdir(), 'tributary-recording-'));
  recording.fill(folder);
  const disk = await openDataDirectory(folder);
  const data: RecordedData = { at: recording.at, ids: recording.ids, items: [], waiting: [], schedules: [] };
  try {
    for await (const [key, value] of disk.entries('')) {
      if (/^d\/[^/]+\/=/.test(key))
        data.items.push(RecordedData.shape.items.element.parse(encodeAttributes(parseItem(value))));
      if (/^q\/\w+Queue[^/]*\/m\//.test(key))
        data.waiting.push({
          queue: queueOf(key),
          message: Message.parse(JSON.parse(value.slice(value.indexOf('\n') + 1))),
        });
      if (key.startsWith('t/s/')) {
        const { name: schedule, target } = Schedule.parse(JSON.parse(value)).definition;
        data.schedules.push({ name: schedule, queue: queueOf(target.arn), input: target.input });
      }
    }
  } finally {
    await disk.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return data;
}
