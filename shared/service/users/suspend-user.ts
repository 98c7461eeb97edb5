import type { UserId, WebhookId } from '../../domain/id.ts';
import type { RetryMessage } from '../../domain/run/message.ts';
import { type OnUnreadable, whileReadable } from '../../domain/unreadable.ts';
import type { User } from '../../domain/user/user.ts';
import type { Webhook } from '../../domain/webhook/webhook.ts';
import type { SourceStore } from '../../store/emitters/sources.ts';
import type { WorkflowStore } from '../../store/emitters/workflows.ts';
import type { WebhookStore } from '../../store/subscriptions/webhooks.ts';
import { changeCurrent } from '../../store/table/change-current.ts';
import type { UserStore } from '../../store/users/users.ts';
import { startWork } from '../delivery/send-next.ts';
import { userNotFound } from './user-not-found.ts';

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
  if (!user || !(await users.setSuspension(id, since))) throw userNotFound(id);
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
export const eachReadable =
  ({ unreadable }: Pick<SuspensionServices, 'unreadable'>) =>
  async <Id extends string>(ids: readonly Id[], work: (id: Id) => Promise<void>): Promise<void> => {
    for (const id of ids) await whileReadable(id, unreadable.add, () => work(id));
  };

/** The webhook afterwards; undefined when it was deleted. */
export const markWebhook = (
  { webhooks }: Pick<SuspensionServices, 'webhooks'>,
  id: WebhookId,
  suspendedAt: number | undefined,
): Promise<Webhook | undefined> =>
  changeCurrent({
    find: () => webhooks.find(id),
    write: async (webhook) =>
      webhook.suspendedAt === suspendedAt ? webhook : webhooks.change(webhook, { suspendedAt }),
  });
