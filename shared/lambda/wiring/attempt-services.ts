import type { Bucket } from '../../aws/bucket.ts';
import type { Vault } from '../../aws/vault.ts';
import type { ListenerId } from '../../domain/id.ts';
import type { Notify } from '../../domain/notice/notice.ts';
import type { RetryMessage } from '../../domain/run/message.ts';
import type { OnUnreadable } from '../../domain/unreadable.ts';
import { MINUTE_MS } from '../../lib/durations.ts';
import { createPeriodGate } from '../../lib/period-gate.ts';
import type { AttemptCounts } from '../../service/delivery/attempt-counts.ts';
import { createHeaderReader, createSealedReader, createSecretReader } from '../../service/delivery/sealed-reader.ts';
import { createHealthRecorder } from '../../service/delivery/health-recorder.ts';
import { createHeldLimit } from '../../service/delivery/held-limit.ts';
import { ownedDeliveries } from '../../service/delivery/owned-deliveries.ts';
import { allDeliveries } from '../../store/deliveries/all-deliveries.ts';
import { deliveryStore } from '../../store/deliveries/deliveries.ts';
import { deliveryBytesStore } from '../../store/deliveries/delivery-bytes.ts';
import { deliveryLog } from '../../store/deliveries/delivery-log.ts';
import { drainLeases } from '../../store/deliveries/drain-leases.ts';
import { orderedList, waitingAndHeldDeliveries } from '../../store/deliveries/delivery-lists.ts';
import { recoveryStore } from '../../store/deliveries/recoveries.ts';
import { fanOutStore } from '../../store/events/fan-outs.ts';
import { listenerStore } from '../../store/subscriptions/matching.ts';
import { webhookStore } from '../../store/subscriptions/webhooks.ts';
import { expiringItems } from '../../store/table/expiring-items.ts';
import { sendSlots } from '../../store/table/rate-slots.ts';
import type { TableOptions } from '../../store/table/table-client.ts';

/** Signing secrets and custom headers of listeners. */
export function listenerSecretsOf(vault: Pick<Vault, 'decrypt'>, now: () => number) {
  const decrypt = createSealedReader({ vault, now });
  return { secretOf: createSecretReader(decrypt), headersOf: createHeaderReader(decrypt) };
}

/** Listeners whose last kept response is remembered. */
const MAX_SAMPLED = 10_000;

interface AttemptParts {
  table: TableOptions;
  bucket: Bucket;
  counts: AttemptCounts;
  notify: Notify;
  sendRetry(message: RetryMessage, delaySeconds: number): Promise<void>;
  warn(message: string, fields?: Record<string, unknown>): void;
  onUnreadable: OnUnreadable;
  now(): number;
}

/** The services of first and later attempts that follow from these. */
export function attemptServicesOf({ table, counts, ...parts }: AttemptParts) {
  const count = counts.countPayload;
  const deliveries = ownedDeliveries({ ...parts, deliveries: deliveryStore(table, parts.now), count });
  const webhooks = webhookStore(table);
  const waitingAndHeld = waitingAndHeldDeliveries(table);
  const successLog = deliveryLog(table);
  return {
    ...parts,
    deliveries,
    webhooks,
    waitingAndHeld,
    matching: listenerStore(table),
    successLog,
    slots: sendSlots(table),
    fanOuts: fanOutStore(table, parts.now),
    recordHealth: createHealthRecorder({ ...parts, webhooks, successLog }),
    limitHeld: createHeldLimit({ ...parts, deliveries, waitingAndHeld }),
    attemptCounts: counts,
    // The last success of a quiet webhook has its response, and a busy webhook stores one response a minute.
    keepsResponse: createPeriodGate<ListenerId>({ ttlMs: MINUTE_MS, maxEntries: MAX_SAMPLED, now: parts.now }),
    randomFraction: () => Math.random(),
  };
}

/** The further services of later attempts. */
export const retryServicesOf = (table: TableOptions, attempts: ReturnType<typeof attemptServicesOf>) => ({
  allDeliveries: allDeliveries({ deliveries: attempts.deliveries, log: attempts.successLog }),
  expiringItems: expiringItems(table),
  deliveryBytes: deliveryBytesStore(table),
  recoveries: recoveryStore(table),
  leases: drainLeases(table),
  orderedList: orderedList(table),
});
