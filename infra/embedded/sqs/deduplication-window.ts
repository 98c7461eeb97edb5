import { type QueueDisk, type RecentlySent } from './queue-disk.ts';

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/using-messagededuplicationid-property.html */
const WINDOW_MS = 300_000;

/** What was sent within the last five minutes, oldest first; outlives the messages themselves. */
export class DeduplicationWindow {
  private readonly disk: QueueDisk;
  private readonly recent = new Map<string, RecentlySent>();

  constructor(disk: QueueDisk) {
    this.disk = disk;
  }

  load(entries: readonly { readonly key: string; readonly sent: RecentlySent }[]): void {
    for (const { key, sent } of [...entries].sort((a, b) => a.sent.until - b.sent.until))
      this.recent.set(key, sent);
  }

  find(key: string, now: number): RecentlySent | undefined {
    for (const [oldest, { until }] of this.recent) {
      if (until > now) break;
      this.recent.delete(oldest);
      this.disk.deleteDeduplication(oldest);
    }
    return this.recent.get(key);
  }

  remember(key: string, { number, id }: { number: number; id: string }, now: number): void {
    const sent = { until: now + WINDOW_MS, number, id };
    this.recent.set(key, sent);
    this.disk.putDeduplication(key, sent);
  }
}
