import type { UserId, WebhookId, ListenerId, SourceId } from '../../domain/id.ts';
import type { RetryMessage, DrainMessage } from '../../domain/run/message.ts';
import { type OnUnreadable, whileReadable } from '../../domain/unreadable.ts';
import type { User } from '../../domain/user/user.ts';
import type { Webhook } from '../../domain/webhook/webhook.ts';
import type { SourceStore } from '../../store/emitters/sources.ts';
import type { WorkflowStore } from '../../store/emitters/workflows.ts';
import type { WebhookStore } from '../../store/subscriptions/webhooks.ts';
import { changeCurrent } from '../../store/table/change-current.ts';
import type { UserStore } from '../../store/users/users.ts';
import { startWork, createFirstRetrySender } from '../delivery/send-next.ts';
import { ServiceError, notFound } from '../../domain/errors.ts';
import type { DeliveryStore } from '../../store/deliveries/deliveries.ts';
import { LONGEST_HELD_MS, type StoredDelivery, writtenAt } from '../../store/deliveries/delivery-item.ts';
import type { ListEntry, WaitingAndHeldDeliveries } from '../../store/deliveries/delivery-lists.ts';
import type { BacklogStore } from '../../store/emitters/backlog.ts';
import type { WaitingTriggerStore } from '../../store/emitters/waiting-triggers.ts';
import { resumeDrain } from '../backlog/drain-messages.ts';

export interface SuspensionServices {
  users: Pick<UserStore, 'find' | 'setSuspension'>;
  sources: Pick<SourceStore, 'ids' | 'find' | 'setSuspension'>;
  webhooks: Pick<WebhookStore, 'ids' | 'find' | 'change'>;
  workflows: Pick<WorkflowStore, 'ids' | 'setSuspension'>;
  sendRetry(message: RetryMessage, delaySeconds: number): Promise<void>;
  unreadable: { add: OnUnreadable };
  now(): number;
}

/**
 * Stops keys, runs, ticks and deliveries of a user. Each part may be repeated. Resolves with the user, and the time of
 * the suspension.
 */
export async function suspendUser(services: SuspensionServices, id: UserId): Promise<{ user: User; since: number }> {
  const { users, sources, webhooks, workflows, now } = services;
  const user = await users.find(id);
  const since = user?.suspendedAt ?? now();
  if (!user || !(await users.setSuspension(id, since))) throw notFound(`user ${id}`);
  const each = eachReadable(services);
  await each(await sources.ids(id), async (sourceId) => {
    const source = await sources.find(sourceId);
    if (source && !source.suspension) await sources.setSuspension(sourceId, { since });
  });
  for (const workflowId of await workflows.ids(id)) await workflows.setSuspension(workflowId, since);
  await each(await webhooks.ids(id), async (webhookId) => {
    const webhook = await markWebhook(services, webhookId, since);
    // Holds the deliveries that wait.
    if (webhook) await startWork(services, webhook);
  });
  return { user, since };
}

/** Does the work about each id. One whose item cannot be read is left out. */
const eachReadable =
  ({ unreadable }: Pick<SuspensionServices, 'unreadable'>) =>
  async <Id extends string>(ids: readonly Id[], work: (id: Id) => Promise<void>): Promise<void> => {
    for (const id of ids) await whileReadable(id, unreadable.add, () => work(id));
  };

/** The webhook afterwards; undefined when it was deleted. */
const markWebhook = (
  { webhooks }: Pick<SuspensionServices, 'webhooks'>,
  id: WebhookId,
  suspendedAt: number | undefined,
): Promise<Webhook | undefined> =>
  changeCurrent({
    find: () => webhooks.find(id),
    write: async (webhook) =>
      webhook.suspendedAt === suspendedAt ? webhook : webhooks.change(webhook, { suspendedAt }),
  });

const PAGE = 100;
/** The message that makes the attempt of a released delivery if this process dies before it sends the other one. */
const REPEAT_MS = 60_000;

interface ResumeServices extends SuspensionServices {
  deliveries: Pick<DeliveryStore, 'find' | 'release' | 'enqueue'>;
  waitingAndHeldDeliveries: Pick<WaitingAndHeldDeliveries, 'oldest'>;
  backlogs: Pick<BacklogStore, 'waiting'>;
  waitingTriggers: Pick<WaitingTriggerStore, 'next'>;
  sendDrain(message: DrainMessage): Promise<void>;
}

/**
 * Lets the work of a user go on, with what waits and is held since its suspension. Each part may be repeated. The mark
 * of the user goes last: a repetition of an interrupted resumption finds since when the user was suspended.
 */
export async function resumeUser(
  services: ResumeServices,
  id: UserId,
): Promise<{ user: User; triggers: number; deliveries: number }> {
  const { users, sources, webhooks, workflows } = services;
  const user = await users.find(id);
  if (!user) throw notFound(`user ${id}`);
  const { suspendedAt: since } = user;
  if (since === undefined)
    throw new ServiceError('invalid_request', `The user ${user.username} (${id}) is not suspended.`);
  let [triggers, deliveries] = [0, 0];
  await eachReadable(services)(await webhooks.ids(id), async (webhookId) => {
    const suspended = await webhooks.find(webhookId);
    // They are back in their order before any is sent; those that are held meanwhile follow.
    if (suspended?.active && suspended.ordered) deliveries += await releaseHeld(services, suspended, since);
    const webhook = await markWebhook(services, webhookId, undefined);
    if (!webhook?.active) return;
    deliveries += await releaseHeld(services, webhook, since);
    await startWork(services, webhook);
  });
  for (const workflowId of await workflows.ids(id)) {
    await workflows.setSuspension(workflowId, undefined);
    deliveries += await releaseHeld(services, { id: workflowId, ordered: false }, since);
  }
  for (const sourceId of await sources.ids(id)) {
    await sources.setSuspension(sourceId, undefined);
    triggers += await drainBacklogOf(services, { id: sourceId, ownerId: id });
  }
  if (!(await users.setSuspension(id, undefined))) throw notFound(`user ${id}`);
  return { user, triggers, deliveries };
}

/**
 * Sends a message to the source, whose consumer lets the triggers of its backlog be executed. Returns how many wait,
 * about: a new backlog may not be readable yet.
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
async function releaseHeld(
  services: ResumeServices,
  { id: listenerId, ordered }: { id: ListenerId; ordered: boolean },
  since: number,
): Promise<number> {
  const { deliveries, waitingAndHeldDeliveries, unreadable, now } = services;
  let released = 0;
  const oldest = now() - LONGEST_HELD_MS;
  const release = async ({ id }: ListEntry): Promise<boolean> => {
    const delivery = await deliveries.find(listenerId, id);
    if (delivery?.list !== 'held') return false;
    return ordered ? deliveries.enqueue(delivery) : releaseDelivery(services, delivery);
  };
  for (let after: ListEntry['id'] | undefined; ;) {
    const entries = await waitingAndHeldDeliveries.oldest('held', listenerId, {
      limit: PAGE,
      since: oldest,
      after,
    });
    const ours = entries.filter(({ expiresAt = 0 }) => writtenAt(expiresAt) >= since - 1_000);
    const done = await Promise.all(ours.map((entry) => whileReadable(entry.id, unreadable.add, () => release(entry))));
    released += done.filter((isReleased) => isReleased === true).length;
    after = entries.at(-1)?.id;
    if (after === undefined) return released;
  }
}

async function releaseDelivery(
  { deliveries, sendRetry, now }: ResumeServices,
  delivery: StoredDelivery,
): Promise<boolean> {
  const { messageNumber } = delivery;
  const sendNext = createFirstRetrySender({ sendRetry, now });
  await sendNext(delivery, { messageNumber, nextAt: now() + REPEAT_MS });
  if (!(await deliveries.release(delivery))) return false;
  await sendNext(delivery, { messageNumber });
  return true;
}
