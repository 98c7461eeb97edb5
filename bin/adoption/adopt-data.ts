import { dataFormatOf, writeDataFormat } from '../../infra/embedded/disk/data-format.ts';
import { DataDirectoryUnusable, type Disk } from '../../infra/embedded/disk/disk.ts';
import { DeliveryMessage, RetryMessage, JobMessage } from '../../shared/domain/run/message.ts';
import { parseTrigger } from '../../shared/domain/run/runs-message.ts';

const MESSAGE = /^q\/[^/]+\/m\//;

const FORMS: readonly ((body: string) => unknown)[] = [
  parseTrigger,
  (body) => DeliveryMessage.parse(JSON.parse(body)),
  (body) => RetryMessage.parse(JSON.parse(body)),
  (body) => JobMessage.parse(JSON.parse(body)),
];

/**
 * Numbers a data directory at its first start. The directory of a release without numbers is taken if all its waiting
 * messages can be read: otherwise deliveries that wait for a retry would never be made.
 */
export async function adoptData(disk: Disk, dataDir: string): Promise<void> {
  if (dataFormatOf(disk) !== undefined) return;
  let unreadable = 0;
  for await (const [key, value] of disk.entries('q/'))
    if (MESSAGE.test(key) && !isDeadLetter(value) && !isReadable(bodyOf(value))) unreadable += 1;
  if (unreadable > 0)
    throw new DataDirectoryUnusable(
      `The data directory ${dataDir} has ${unreadable} waiting messages of an earlier release that this one cannot read: start that release until its runs and deliveries have ended, then this one.`,
    );
  await writeDataFormat(disk);
}

/** Facts as JSON, a line feed, the body. */
const endOfFacts = (value: string) => value.indexOf('\n');
const bodyOf = (value: string) => value.slice(endOfFacts(value) + 1);
const isDeadLetter = (value: string) => value.slice(0, endOfFacts(value)).includes('"deadLetterSource"');

const isReadable = (body: string): boolean => FORMS.some((parse) => parses(parse, body));

function parses(parse: (body: string) => unknown, body: string): boolean {
  try {
    parse(body);
    return true;
  } catch {
    return false;
  }
}
