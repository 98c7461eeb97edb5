import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod';
import {
  formsOf,
  KindSchema,
  kindOf,
  Message,
  problemOf,
  type QueueName,
  QueueNames,
  type QueueSchemas,
} from './queue-messages.ts';
import { JsonSchema } from './schema-changes.ts';
import { RecordedData } from './recorded-data.ts';
import { sampleMessages } from './sample-messages.ts';

const folder = join(import.meta.dirname, 'releases');

/** A release leaves for the next one messages under way, items, schedules and resources. */
const ReleaseRecording = z.object({
  /** JSON schemas of its messages. */
  schemas: z.record(QueueNames, z.record(z.string(), KindSchema)),
  /** Messages that it sends: each kind with all of its fields, and with those that it must have. */
  messages: z.array(z.object({ queue: QueueNames, message: Message })),
  /** JSON schemas of stored objects. */
  objects: z.record(z.string(), JsonSchema),
  resources: z.record(z.string(), z.object({ type: z.string(), fixed: z.record(z.string(), z.unknown()) })),
  data: RecordedData,
});
type ReleaseRecording = z.infer<typeof ReleaseRecording>;

export type Release = ReleaseRecording & { version: string };

/** The recorded releases, oldest first. */
export const releases: readonly Release[] = readdirSync(folder)
  .map((file) => basename(file, '.json'))
  .toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
  .map((version) => ({
    version,
    ...ReleaseRecording.parse(JSON.parse(readFileSync(join(folder, `${version}.json`), 'utf8'))),
  }));

/** Messages about what a recording has, each with all of its fields. */
export function samplesAbout({ ids, at, items, waiting }: RecordedData): Record<QueueName, readonly Message[]> {
  const text = JSON.stringify([items, waiting]);
  const firstId = (pattern: RegExp) => pattern.exec(text)?.[0] ?? `no ${pattern.source}`;
  const idOf = (role: string) => ids[role] ?? `no ${role}`;
  const retry = waiting.find(({ message }) => kindOf(message) === 'retry')?.message;
  return sampleMessages(
    {
      echo: idOf('echo'),
      hourly: idOf('hourly'),
      often: idOf('often'),
      failing: idOf('failing'),
      held: idOf('held'),
      recovering: idOf('recovering'),
      owner: firstId(/u_[0-9a-z]{24}/),
      delivery: z.string().parse(retry?.['deliveryId']),
      recovery: firstId(/rc_[0-9a-z]{24}/),
    },
    at,
  );
}

/** The messages that a release with these schemas sends about a recording. */
export function messagesOf(schemas: QueueSchemas, data: RecordedData): ReleaseRecording['messages'] {
  const samples = samplesAbout(data);
  return QueueNames.options.flatMap((queue) =>
    samples[queue]
      .flatMap((sample) => formsOf(sample, schemas[queue]))
      .filter((message) => problemOf(message, schemas[queue]) === undefined)
      .map((message) => ({ queue, message })),
  );
}

/** One line for each element. */
export function writeRelease(version: string, { schemas, messages, objects, resources, data }: ReleaseRecording): void {
  const lines = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join(',\n');
  const members = (values: object) =>
    Object.entries(values)
      .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
      .join(',\n');
  const { items, waiting, schedules, ...notes } = data;
  writeFileSync(
    join(folder, `${version}.json`),
    `{"schemas":{\n${Object.entries(schemas)
      .map(([queue, kinds]) => `"${queue}":{\n${members(kinds)}}`)
      .join(',\n')}},
"messages":[\n${lines(messages)}],
"objects":{\n${members(objects)}},
"resources":{\n${members(resources)}},
"data":{${members(notes)},
"items":[\n${lines(items)}],
"waiting":[\n${lines(waiting)}],
"schedules":[\n${lines(schedules)}]}}\n`,
  );
}
