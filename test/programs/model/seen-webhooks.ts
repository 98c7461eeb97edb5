import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { answered } from './requests.ts';
import type { Tenant, Webhook } from './tenant.ts';
import type { WebhookResponses } from './webhook-responses.ts';
import type { CountedBefore, ListedDelivery, SeenWebhook } from './webhook-promises.ts';

const Shown = z.object({
  data: z.object({
    held_count: z.number(),
    failing_since_ms: z.number().nullable(),
    last_attempt: z.object({ outcome: z.string() }).nullable(),
  }),
});
const Job = z.object({ data: z.object({ since_ms: z.number(), status: z.enum(['running', 'done']) }) });
const AttemptLog = z.object({
  data: z.object({ attempt_log: z.array(z.object({ status: z.number().nullable() })) }),
});
const Page = z.object({
  page_info: z.object({ end_cursor: z.string().nullable() }),
  data: z.array(
    z.object({
      id: z.string(),
      emit_id: z.string(),
      event_id: z.string(),
      status: z.string(),
      attempts: z.number(),
      last_attempt: z.object({ status: z.number().nullable() }).nullable(),
    }),
  ),
});

/** Webhooks that were not deleted and have not answered 410. */
const lasting = ({ webhooks, history }: Tenant, responses: WebhookResponses): Webhook[] =>
  webhooks.filter(({ id, path }) => !responses.isGone(path) && !history.livesOf(id).some(({ to }) => to === 'off'));

/** Switches every lasting webhook on and recovers what was not delivered to it. One sentence for each refusal. */
export async function recoverAll(tenant: Tenant, responses: WebhookResponses, since: number): Promise<string[]> {
  const refusals: string[] = [];
  for (const webhook of lasting(tenant, responses)) {
    await answered(() => tenant.switchWebhook(webhook, true));
    const { status, text } = await answered(() => tenant.recover(webhook, since));
    if (status !== 202) refusals.push(`${webhook.id} refused to recover: ${status} ${text}`);
  }
  return refusals;
}

/**
 * One sentence for each delivery that a recovery since this time left undelivered. An earlier recovery that still ran
 * was continued instead.
 */
export async function leftByRecoveries(tenant: Tenant, responses: WebhookResponses, since: number): Promise<string[]> {
  const left = lasting(tenant, responses).map(async ({ id }) => {
    const { status: code, text } = await answered(() => tenant.requests.call('GET', `/webhooks/${id}/recover`));
    if (code !== 200) return [`the recovery of ${id} is ${code}`];
    const { since_ms: from, status } = Job.parse(JSON.parse(text)).data;
    if (from !== since) return [];
    if (status !== 'done') return [`the recovery of ${id} has not ended`];
    const deliveries = await deliveriesOf(tenant, id);
    return deliveries
      .filter((delivery) => delivery.status !== 'delivered')
      .map((delivery) => `the recovery of ${id} left ${delivery.event} as ${delivery.status}`);
  });
  return (await Promise.all(left)).flat();
}

/** Attempts in the logs and requests of all lasting webhooks until now, by webhook. */
export async function countedUntilNow(
  tenant: Tenant,
  responses: WebhookResponses,
): Promise<ReadonlyMap<string, CountedBefore>> {
  const counted = lasting(tenant, responses).map(async ({ id, path }) => {
    const deliveries = await deliveriesOf(tenant, id);
    const attempts = new Map(deliveries.map((each) => [each.event, each.answered]));
    return [id, { requests: responses.requestsOf(path).length, attempts }] as const;
  });
  return new Map(await Promise.all(counted));
}

/** One sentence for each delivery that waits for an attempt although all work has ended: a recovery would hide it. */
export async function leftWaiting(tenant: Tenant, responses: WebhookResponses): Promise<string[]> {
  const left = lasting(tenant, responses).map(async ({ id }) =>
    (await deliveriesOf(tenant, id))
      .filter(({ status }) => status === 'pending' || status === 'retrying')
      .map(({ event, status }) => `no attempt follows for ${event} of ${id}, which is ${status}`),
  );
  return (await Promise.all(left)).flat();
}

/** The lasting webhooks, as the service and as their receivers see them. */
export const seenWebhooks = (
  tenant: Tenant,
  responses: WebhookResponses,
  before: ReadonlyMap<string, CountedBefore> = new Map(),
): Promise<SeenWebhook[]> =>
  Promise.all(
    lasting(tenant, responses).map(async (webhook) => ({
      ...(await seenWebhook(tenant, responses, webhook)),
      before: before.get(webhook.id),
    })),
  );

/**
 * The attempts of a delivery with a response. A receiver that closes an idle connection does not see the attempt that
 * was just sent.
 */
async function answeredOf(requests: Tenant['requests'], path: string): Promise<number> {
  const { text } = await answered(() => requests.call('GET', `/webhooks/${path}`));
  return AttemptLog.parse(JSON.parse(text)).data.attempt_log.filter(({ status }) => status !== null).length;
}

/** The whole log of a webhook. */
async function deliveriesOf({ requests }: Tenant, id: string): Promise<ListedDelivery[]> {
  const deliveries: ListedDelivery[] = [];
  for (let after: string | null = ''; after !== null;) {
    const cursor: string = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
    const page = await answered(() => requests.call('GET', `/webhooks/${id}/deliveries?limit=100${cursor}`));
    const { data, page_info: info } = Page.parse(JSON.parse(page.text));
    for (const { id: delivery, emit_id: emitId, event_id: eventId, status, attempts, ...shown } of data) {
      const isAnswered = typeof shown.last_attempt?.status === 'number';
      const own = attempts < 2 ? Number(isAnswered) : await answeredOf(requests, `${id}/deliveries/${delivery}`);
      deliveries.push({ event: `${emitId} ${eventId}`, status, attempts, answered: own });
    }
    after = info.end_cursor;
  }
  return deliveries;
}

async function seenWebhook(
  tenant: Tenant,
  responses: WebhookResponses,
  { id, path, secrets, hasUnknownSecret, redelivered }: Webhook,
): Promise<SeenWebhook> {
  const { text } = await answered(() => tenant.requests.call('GET', `/webhooks/${id}`));
  const { data: shown } = Shown.parse(JSON.parse(text));
  return {
    id,
    heldCount: shown.held_count,
    failingSince: shown.failing_since_ms,
    lastOutcome: shown.last_attempt?.outcome ?? null,
    deliveries: await deliveriesOf(tenant, id),
    redelivered,
    requests: responses.requestsOf(path).map(({ signatures, signed, ...request }) => {
      const isKnown = signatures
        .split(' ')
        .some((each) => secrets.some((secret) => each === signature(secret, signed)));
      return { ...request, isSigned: isKnown || (hasUnknownSecret ? undefined : false) };
    }),
  };
}

/** https://www.standardwebhooks.com */
const signature = (secret: string, signed: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
    .update(signed)
    .digest('base64')}`;
