import type { Bucket } from '../../aws/bucket.ts';
import type { Attempter } from '../../aws/http-attempt.ts';
import type { WriteLine } from '../../domain/run/log-fields.ts';
import type { ListenerId } from '../../domain/id.ts';
import type { OnUnreadable } from '../../domain/unreadable.ts';
import type { Notify } from '../../domain/notice/notice.ts';
import type { RetryMessage } from '../../domain/run/message.ts';
import type { DeliveryLog } from '../../store/deliveries/delivery-log.ts';
import type { WaitingAndHeldDeliveries } from '../../store/deliveries/delivery-lists.ts';
import type { ListenerStore } from '../../store/subscriptions/matching.ts';
import type { SendSlots } from '../../store/table/rate-slots.ts';
import type { WebhookStore } from '../../store/subscriptions/webhooks.ts';
import type { AttemptCounts } from './attempt-counts.ts';
import type { RecordHealth } from './health-recorder.ts';
import type { LimitHeld } from './held-limit.ts';
import type { OwnedDeliveries } from './owned-deliveries.ts';
import type { HeaderReader, SecretReader } from './sealed-reader.ts';
import type { SendNext } from './send-next.ts';

/** The services that first attempts and later attempts use. `services.ts` builds them once per process. */
export interface DeliveryServices {
  deliveries: OwnedDeliveries;
  webhooks: WebhookStore;
  waitingAndHeld: WaitingAndHeldDeliveries;
  matching: ListenerStore;
  successLog: Pick<DeliveryLog, 'find'>;
  slots: SendSlots;
  bucket: Pick<Bucket, 'getText' | 'getBytes'>;
  attempt: Attempter;
  attemptCounts: Pick<AttemptCounts, 'count'>;
  recordHealth: RecordHealth;
  limitHeld: LimitHeld;
  notify: Notify;
  secretOf: SecretReader;
  headersOf: HeaderReader;
  sendNext: SendNext;
  /** Whether an attempt keeps the response of a success. */
  keepsResponse(listenerId: ListenerId): boolean;
  sendRetry(message: RetryMessage, delaySeconds: number): Promise<void>;
  writeLine: WriteLine;
  /** Reports stored items that cannot be read. Work on other items continues. */
  onUnreadable: OnUnreadable;
  /** In [0, 1). */
  randomFraction(): number;
  now(): number;
}
