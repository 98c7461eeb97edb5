import type { ListenerId, SourceId, UserId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { DrainMessage } from '../../domain/run/message.ts';
import { whileReadable } from '../../domain/unreadable.ts';
import type { User } from '../../domain/user/user.ts';
import type { DeliveryStore } from '../../store/deliveries/deliveries.ts';
import { LONGEST_HELD_MS, writtenAt } from '../../store/deliveries/delivery-item.ts';
import type { ListEntry, WaitingAndHeldDeliveries } from '../../store/deliveries/waiting-and-held.ts';
import type { BacklogStore } from '../../store/emitters/backlog.ts';
import type { WaitingTriggerStore } from '../../store/emitters/waiting-triggers.ts';
import { resumeDrain } from '../backlog/drain-messages.ts';
import { createFirstRetrySender, startWork } from '../delivery/send-next.ts';
import { eachReadable, markWebhook, type SuspensionServices } from './suspend-user.ts';
import { userNotFound } from './user-not-found.ts';

const PAGE = 100;
/** The message that makes the attempt of a released delivery if this process dies before it sends the other one. */
const REPEAT_MS = 60_000;

interface ResumeServices extends SuspensionServices {
  deliveries: Pick<DeliveryStore, 'find' | 'release'>;
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
  if (!user) throw userNotFound(id);
  const { suspendedAt: since } = user;
  if (since === undefined)
    throw new ServiceError('invalid', 'invalid_request', `The user ${user.username} (${id}) is not suspended.`);
  let [triggers, deliveries] = [0, 0];
  await eachReadable(services)(await webhooks.ids(id), async (webhookId) => {
    const webhook = await markWebhook(services, webhookId, undefined);
    if (!webhook?.active) return;
    await startWork(services, webhook);
    deliveries += await releaseHeld(services, webhookId, since);
  });
  for (const workflowId of await workflows.ids(id)) {
    await workflows.setSuspension(workflowId, undefined);
    deliveries += await releaseHeld(services, workflowId, since);
  }
  for (const sourceId of await sources.ids(id)) {
    await sources.setSuspension(sourceId, undefined);
    triggers += await drainBacklogOf(services, { id: sourceId, ownerId: id });
  }
  if (!(await users.setSuspension(id, undefined))) throw userNotFound(id);
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
async function releaseHeld(services: ResumeServices, listenerId: ListenerId, since: number): Promise<number> {
  const { waitingAndHeldDeliveries, unreadable, now } = services;
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
      ours.map((entry) => whileReadable(entry.id, unreadable.add, () => releaseDelivery(services, listenerId, entry))),
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
