import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import type { Emitter, Tenant, Webhook } from '../model/tenant.ts';

/** Events that the webhook misses while it is off. At its rate limit a recovery of them takes six seconds. */
const MISSED = 60;
const RATE_LIMIT = 10;
const POLL_MS = 200;
/** Longer than the time in which the webhook is off. */
const MISSED_MS = 300_000;

const Shown = z.object({ data: z.object({ held_count: z.number() }) });
const Job = z.object({
  data: z.object({ status: z.enum(['running', 'done']), sent: z.number(), started_at_ms: z.number() }),
});

/**
 * A webhook that is switched off, misses events, is switched on and recovers them, again and again until it is stopped.
 */
export async function repeatedRecoveries(tenant: Tenant) {
  await tenant.createSource('pass-through');
  await tenant.createWebhook('good', { rate_limit: RATE_LIMIT });
  const { emitters, webhooks } = tenant;
  const [[emitter], [webhook]] = [emitters, webhooks];
  if (!emitter || !webhook) throw new Error('The source and the webhook of the recoveries could not be made.');
  await tenant.subscribe(emitter.id, webhook.id, 'default');

  let ended = 0;
  let isStopped = false;
  const rounds = async () => {
    while (!isStopped) {
      await missEvents(tenant, emitter, webhook);
      const since = Date.now() - MISSED_MS;
      // The service may be away, or be killed before it answers.
      for (let status = 0; !isStopped && status !== 202; await pause(POLL_MS)) {
        await tenant.switchWebhook(webhook, true);
        ({ status } = await tenant.recover(webhook, since));
      }
      while (!isStopped && (await jobOf(tenant, webhook))?.status !== 'done') await pause(POLL_MS);
      if (!isStopped) ended += 1;
    }
  };
  /** The sending that the last kill interrupted. */
  let interrupted = '';
  const progress = async (): Promise<string | undefined> => {
    const job = await jobOf(tenant, webhook);
    return job?.status === 'running' && job.sent > 0 ? `${job.started_at_ms} ${job.sent}` : undefined;
  };
  const running = rounds();
  return {
    /** Recoveries that ended. */
    get ended() {
      return ended;
    },
    /**
     * Waits until a recovery has sent more than at the last interruption, at most for this time. False when none has.
     */
    async interruption(withinMs: number): Promise<boolean> {
      for (const end = Date.now() + withinMs; ; await pause(POLL_MS)) {
        const now = await progress();
        if (now !== undefined && now !== interrupted) {
          interrupted = now;
          return true;
        }
        if (Date.now() > end) return false;
      }
    },
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

async function missEvents(tenant: Tenant, emitter: Emitter, webhook: Webhook): Promise<void> {
  await tenant.switchWebhook(webhook, false);
  const events = Array.from({ length: MISSED }, () => tenant.send(emitter, { stream: 'default', pad: '' }));
  await Promise.all(events);
  // Some requests of this round may have failed.
  for (const end = Date.now() + 5_000; Date.now() < end; await pause(POLL_MS)) {
    const { status, text } = await tenant.requests.call('GET', `/webhooks/${webhook.id}`);
    if (status === 200 && Shown.parse(JSON.parse(text)).data.held_count >= MISSED) return;
  }
}

async function jobOf({ requests }: Tenant, { id }: Webhook) {
  const { status, text } = await requests.call('GET', `/webhooks/${id}/recover`);
  return status === 200 ? Job.parse(JSON.parse(text)).data : undefined;
}
