import type { WebhookId } from '../../domain/id.ts';
import type { Notify } from '../../domain/notice/notice.ts';
import { redirectOrigin } from '../../domain/delivery/redirect-target.ts';
import { healthNotice } from '../../domain/notice/webhook-notices.ts';
import type { RetryMessage } from '../../domain/run/message.ts';
import { type HealthChange, healthAfter, type RecordedResult } from '../../domain/webhook/health-change.ts';
import type { Webhook } from '../../domain/webhook/webhook.ts';
import type { DeliveryLog } from '../../store/deliveries/delivery-log.ts';
import type { WebhookStore } from '../../store/subscriptions/webhooks.ts';
import { changeCurrent } from '../../store/table/change-current.ts';
import { startWork } from './send-next.ts';

export interface HealthRecorderOptions {
  webhooks: Pick<WebhookStore, 'find' | 'change'>;
  successLog: Pick<DeliveryLog, 'newestSuccess'>;
  sendRetry(message: RetryMessage, delaySeconds: number): Promise<void>;
  warn(message: string, fields: Record<string, string | number | undefined>): void;
  notify: Notify;
  now(): number;
}

/**
 * Records attempts in the health of their webhook. Resolves with the webhook as it is written; undefined if it was
 * deleted.
 */
export type RecordHealth = (webhookId: WebhookId, result: RecordedResult) => Promise<Webhook | undefined>;

interface Queued {
  results: RecordedResult[];
  written: Promise<Webhook | undefined>;
}

/** Attempts that end while a write of the same webhook is under way share the next write. */
export function createHealthRecorder(options: HealthRecorderOptions): RecordHealth {
  const writing = new Map<WebhookId, Promise<Webhook | undefined>>();
  const queued = new Map<WebhookId, Queued>();

  return (webhookId, result) => {
    const waiting = queued.get(webhookId);
    if (waiting) {
      waiting.results.push(result);
      return waiting.written;
    }
    const results = [result];
    const before = writing.get(webhookId) ?? Promise.resolve();
    const written = before
      .catch(() => undefined)
      .then(async () => {
        queued.delete(webhookId);
        return write(options, webhookId, results);
      })
      .finally(() => {
        if (writing.get(webhookId) === written) writing.delete(webhookId);
      });
    queued.set(webhookId, { results, written });
    writing.set(webhookId, written);
    return written;
  };
}

function write(
  options: HealthRecorderOptions,
  id: WebhookId,
  attempts: readonly RecordedResult[],
): Promise<Webhook | undefined> {
  const { webhooks, successLog, now } = options;
  const hasFailure = attempts.some(({ outcome }) => outcome !== 'delivered');
  return changeCurrent({
    find: () => webhooks.find(id),
    write: async (webhook) => {
      const lastSuccess = hasFailure && !webhook.health.breaker ? await successLog.newestSuccess(id) : undefined;
      const change = healthAfter(webhook.health, { attempts, lastSuccess: lastSuccess?.at, now: now() });
      const sentProbe = await sendProbe(options, webhook, change);
      const { health, changed, disable } = change;
      const written = await webhooks.change(webhook, {
        health,
        // A webhook that works again gets first attempts at once.
        ...(changed === 'recovered' ? { suspectUntil: undefined } : {}),
        ...(disable && webhook.active ? { active: false, disabledReason: disable } : {}),
      });
      if (!written) return undefined;
      // The message may have come before the write, and found no such probe.
      if (sentProbe !== undefined && sentProbe <= now()) await sendProbe(options, webhook, change);
      report(options, webhook, change);
      // A breaker that closed and a webhook that was deactivated begin other work.
      if (change.isClosed || written.active !== webhook.active) await startWork(options, written);
      // A process that dies before this line loses the notice; the webhook shows its state all the same.
      const notice = healthNotice(webhook, change, now());
      if (notice) await options.notify(notice);
      return written;
    },
  });
}

/**
 * The message comes before the write: while a breaker is open, a probe is on its way, also after a crash. Resolves with
 * the time of the probe, epoch ms.
 */
async function sendProbe(
  options: HealthRecorderOptions,
  webhook: Webhook,
  { health }: HealthChange,
): Promise<number | undefined> {
  const { breaker } = health;
  if (!breaker || breaker.probe === webhook.health.breaker?.probe) return undefined;
  await startWork(options, { ...webhook, health });
  return breaker.probeAt;
}

function report({ warn }: HealthRecorderOptions, { id, ownerId, active }: Webhook, change: HealthChange): void {
  const fields = { webhook: id, owner: ownerId };
  const { outcome, status } = change.health.lastAttempt ?? {};
  if (change.changed === 'failing')
    warn('webhook.failing', { ...fields, outcome, status, redirect: redirectOrigin(change.redirect) });
  if (change.changed === 'recovered') warn('webhook.recovered', fields);
  if (change.disable && active) warn('webhook.disabled', { ...fields, reason: change.disable });
}
