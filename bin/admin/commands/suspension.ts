import type { ListenerId, SourceId, UserId, WebhookId } from '../../../shared/domain/id.ts';
import { whileReadable } from '../../../shared/domain/unreadable.ts';
import { webhookWork, workMessage } from '../../../shared/domain/webhook/webhook-work.ts';
import type { Webhook } from '../../../shared/domain/webhook/webhook.ts';
import { resumeDrain } from '../../../shared/service/backlog/drain-messages.ts';
import { createFirstRetrySender } from '../../../shared/service/delivery/send-next.ts';
import { LONGEST_HELD_MS, writtenAt } from '../../../shared/store/deliveries/delivery-item.ts';
import type { ListEntry } from '../../../shared/store/deliveries/waiting-and-held.ts';
import type { Operator } from '../operator.ts';

const PAGE = 100;
/** The message that makes the attempt of a released delivery if this process dies before it sends the other one. */
const REPEAT_MS = 60_000;

/** Stops runs, ticks and deliveries of a user. Each part may be repeated. */
export async function suspendWork(operator: Operator, ownerId: UserId, since: number): Promise<void> {
  const { sources, webhooks, workflows, sendRetry } = operator;
  const each = eachReadable(operator);
  await each(await sources.ids(ownerId), async (id) => {
    const source = await sources.find(id);
    if (source && !source.suspension) await sources.setSuspension(id, { since });
  });
  for (const id of await workflows.ids(ownerId)) await workflows.setSuspension(id, since);
  await each(await webhooks.ids(ownerId), async (id) => {
    const webhook = await markWebhook(operator, id, since);
    // Holds the deliveries that wait.
    if (webhook) await sendRetry(workMessage(id, webhookWork(webhook)), 0);
  });
}

/** Does the work about each id. One whose item cannot be read is left out. */
const eachReadable =
  ({ unreadable }: Pick<Operator, 'unreadable'>) =>
  async <Id extends string>(ids: readonly Id[], work: (id: Id) => Promise<void>): Promise<void> => {
    for (const id of ids) await whileReadable(id, unreadable.add, () => work(id));
  };

type ResumeServices = Pick<
  Operator,
  | 'sources'
  | 'webhooks'
  | 'workflows'
  | 'deliveries'
  | 'waitingAndHeldDeliveries'
  | 'backlogs'
  | 'waitingTriggers'
  | 'sendDrain'
  | 'sendRetry'
  | 'unreadable'
  | 'now'
>;

interface Resumed {
  triggers: number;
  deliveries: number;
}

/** Lets the work of a user go on, with what waits and is held since then. Each part may be repeated. */
export async function resumeWork(operator: ResumeServices, ownerId: UserId, since: number): Promise<Resumed> {
  const { sources, webhooks, workflows, sendRetry } = operator;
  let [triggers, deliveries] = [0, 0];
  const each = eachReadable(operator);
  await each(await webhooks.ids(ownerId), async (id) => {
    const webhook = await markWebhook(operator, id, undefined);
    if (!webhook?.active) return;
    await sendRetry(workMessage(id, webhookWork(webhook)), 0);
    deliveries += await releaseHeld(operator, id, since);
  });
  for (const id of await workflows.ids(ownerId)) {
    await workflows.setSuspension(id, undefined);
    deliveries += await releaseHeld(operator, id, since);
  }
  for (const id of await sources.ids(ownerId)) {
    await sources.setSuspension(id, undefined);
    triggers += await drainBacklogOf(operator, { id, ownerId });
  }
  return { triggers, deliveries };
}

/** The webhook afterwards; undefined when it was deleted. */
async function markWebhook(
  { webhooks }: ResumeServices,
  id: WebhookId,
  suspendedAt: number | undefined,
): Promise<Webhook | undefined> {
  for (;;) {
    const webhook = await webhooks.find(id);
    if (!webhook || webhook.suspendedAt === suspendedAt) return webhook;
    const changed = await webhooks.change(webhook, { suspendedAt });
    if (changed) return changed;
  }
}

/**
 * Sends a message to the source, whose consumer lets the triggers of its backlog be executed. Returns how many wait, about: a new backlog may
 * not be readable yet.
 */
async function drainBacklogOf(
  { backlogs, waitingTriggers, sendDrain, now }: ResumeServices,
  { id, ownerId }: { id: SourceId; ownerId: UserId },
): Promise<number> {
  const waiting = (await backlogs.waiting([id])).get(id);
  // Earlier releases stored them for a suspended source without a backlog.
  const [kept] = await waitingTriggers.next(id, { last: '', limit: 1 });
  await sendDrain(resumeDrain({ id, ownerId }, now()));
  return waiting?.count ?? (kept ? 1 : 0);
}

/** Deliveries that were held before stay held. */
async function releaseHeld(operator: ResumeServices, listenerId: ListenerId, since: number): Promise<number> {
  const { waitingAndHeldDeliveries, unreadable, now } = operator;
  let released = 0;
  const oldest = now() - LONGEST_HELD_MS;
  for (let after: ListEntry['id'] | undefined; ;) {
    const entries = await waitingAndHeldDeliveries.oldest('held', listenerId, {
      limit: PAGE,
      since: oldest,
      after,
    });
    const ours = entries.filter(({ expiresAt = 0 }) => writtenAt(expiresAt) >= since - 1_000);
    const done = await Promise.all(
      ours.map((entry) =>
        whileReadable(entry.id, unreadable.add, () => releaseDelivery(operator, listenerId, entry)),
      ),
    );
    released += done.filter((isReleased) => isReleased === true).length;
    after = entries.at(-1)?.id;
    if (after === undefined) return released;
  }
}

async function releaseDelivery(
  { deliveries, sendRetry, now }: ResumeServices,
  listenerId: ListenerId,
  { id }: ListEntry,
): Promise<boolean> {
  const delivery = await deliveries.find(listenerId, id);
  if (delivery?.list !== 'held') return false;
  const { messageNumber } = delivery;
  const sendNext = createFirstRetrySender({ sendRetry, now });
  await sendNext(delivery, { messageNumber, nextAt: now() + REPEAT_MS });
  if (!(await deliveries.release(delivery))) return false;
  await sendNext(delivery, { messageNumber });
  return true;
}
