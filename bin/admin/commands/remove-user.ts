import type { UserId } from '../../../shared/domain/id.ts';
import { removeAccountsOf } from './remove-accounts.ts';
import { noticesIdOf } from '../../../shared/domain/notice/notices-emitter.ts';
import type { Operator } from '../operator.ts';
import { removeEmitter } from './remove-emitter.ts';

const PAGE = 100;

interface Removed {
  /** The number of objects. */
  count: number;
  /** Accounts whose tokens may still work at the provider. */
  unrevoked: number;
}

/** Removes everything that a user owns. An interrupted removal can be repeated. */
export async function removeEverythingOf(operator: Operator, ownerId: UserId): Promise<Removed> {
  const { autoSubscriptions, subscriptions } = operator;
  const autos = await autoSubscriptions.list(ownerId);
  for (const auto of autos) await autoSubscriptions.remove(auto);
  const emitters = await removeEmittersOf(operator, ownerId);
  const webhooks = await removeWebhooksOf(operator, ownerId);
  const left = await subscriptions.list(ownerId);
  for (const subscription of left) await subscriptions.remove(subscription);
  const accounts = await removeAccountsOf(operator, ownerId);
  await removeEmitter(operator, { emitterId: noticesIdOf(ownerId), ownerId });
  return {
    count: accounts.count + autos.length + emitters + webhooks + left.length,
    unrevoked: accounts.unrevoked,
  };
}

async function removeEmittersOf(operator: Operator, ownerId: UserId): Promise<number> {
  const { removals, sources, workflows } = operator;
  let removed = 0;
  const remove = async (emitterId: Parameters<typeof removeEmitter>[1]['emitterId']) => {
    await removeEmitter(operator, { emitterId, ownerId });
    removed += 1;
  };
  for (const removal of await removals.list())
    if (removal.ownerId === ownerId) await remove(removal.emitterId);
  for (;;) {
    const { items } = await sources.list(ownerId, { limit: PAGE });
    if (items.length === 0) break;
    for (const { id } of items) await remove(id);
  }
  for (const workflow of await workflows.list()) if (workflow.ownerId === ownerId) await remove(workflow.id);
  return removed;
}

async function removeWebhooksOf({ webhooks, subscriptions }: Operator, ownerId: UserId): Promise<number> {
  let removed = 0;
  for (;;) {
    const { items } = await webhooks.list(ownerId, { limit: PAGE });
    if (items.length === 0) return removed;
    for (const webhook of items) {
      await subscriptions.removeAllOf(webhook.id);
      await webhooks.remove(webhook);
      removed += 1;
    }
  }
}
