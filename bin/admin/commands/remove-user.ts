import type { UserId } from '../../../shared/domain/id.ts';
import { whileReadable } from '../../../shared/domain/unreadable.ts';
import { removeAccountsOf } from './remove-accounts.ts';
import { noticesIdOf } from '../../../shared/domain/notice/notices-emitter.ts';
import type { Operator } from '../operator.ts';
import { removeEmitter } from './remove-emitter.ts';

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
  const { removals, sources, unreadable, workflows } = operator;
  let removed = 0;
  const remove = async (emitterId: Parameters<typeof removeEmitter>[1]['emitterId']) => {
    await removeEmitter(operator, { emitterId, ownerId });
    removed += 1;
  };
  for (const removal of await removals.list())
    if (removal.ownerId === ownerId) await remove(removal.emitterId);
  await eachOnce(
    () => sources.ids(ownerId),
    (id) => whileReadable(id, unreadable.add, () => remove(id)),
  );
  for (const id of await workflows.ids(ownerId)) await remove(id);
  return removed;
}

/** Also those whose items cannot be read. */
async function removeWebhooksOf(
  { webhooks, subscriptions, sendRetry }: Operator,
  ownerId: UserId,
): Promise<number> {
  let removed = 0;
  await eachOnce(
    () => webhooks.ids(ownerId),
    async (id) => {
      await subscriptions.removeAllOf(id);
      await webhooks.remove({ id, ownerId });
      await sendRetry({ kind: 'forget', listenerId: id, ownerId }, 0);
      removed += 1;
    },
  );
  return removed;
}

/** Reads the ids again until there is no new one: requests that had begun may still create some. */
async function eachOnce<Id>(
  read: () => Promise<readonly Id[]>,
  work: (id: Id) => Promise<void>,
): Promise<void> {
  const seen = new Set<Id>();
  for (;;) {
    const ids = (await read()).filter((id) => !seen.has(id));
    if (ids.length === 0) return;
    for (const id of ids) {
      seen.add(id);
      await work(id);
    }
  }
}
