import type { UserId } from '../../shared/domain/id.ts';
import type { Operator } from './operator.ts';
import { removeWorkflow } from './workflows.ts';

const PAGE = 100;

/**
 * Removes what a user owns, each as its own DELETE would, so a command that dies half-way is simply repeated: the user itself goes last.
 */
export async function removeEverythingOf(operator: Operator, ownerId: UserId): Promise<void> {
  const { sources, webhooks, workflows, subscriptions, autoSubscriptions, sendTriggers, now } = operator;
  for (const auto of await autoSubscriptions.list(ownerId)) await autoSubscriptions.remove(auto);
  for (;;) {
    const { items } = await sources.list(ownerId, { limit: PAGE });
    if (items.length === 0) break;
    for (const { id } of items) {
      if (!(await sources.tombstone(id))) continue;
      await sendTriggers([{ kind: 'purge', id: `purge-${id}`, emitterId: id, ownerId, at: now() }]);
      await sources.confirmPurge(id);
    }
  }
  for (;;) {
    const { items } = await webhooks.list(ownerId, { limit: PAGE });
    if (items.length === 0) break;
    for (const webhook of items) {
      await subscriptions.removeAllOf(webhook.id);
      await webhooks.remove(webhook);
    }
  }
  for (const workflow of await workflows.list()) {
    if (workflow.ownerId === ownerId) await removeWorkflow(operator, workflow);
  }
  for (const subscription of await subscriptions.list(ownerId)) await subscriptions.remove(subscription);
}
