import type { EmitterId, Random, UserId } from '../../domain/id.ts';
import { noticesIdOf } from '../../domain/notice/notices-emitter.ts';
import type { RetryMessage } from '../../domain/run/message.ts';
import { type UnreadableItem, whileReadable } from '../../domain/unreadable.ts';
import { newApiKey } from '../../domain/user/api-key.ts';
import { hashOfKey } from '../../domain/user/key-hash.ts';
import type { User } from '../../domain/user/user.ts';
import type { SourceStore } from '../../store/emitters/sources.ts';
import type { WorkflowStore } from '../../store/emitters/workflows.ts';
import type { AutoSubscriptionStore } from '../../store/subscriptions/auto-subscriptions.ts';
import type { SubscriptionStore } from '../../store/subscriptions/subscriptions.ts';
import type { WebhookStore } from '../../store/subscriptions/webhooks.ts';
import type { AuditLog } from '../../store/users/audit-log.ts';
import type { RemovalStore } from '../../store/users/removals.ts';
import type { UserStore } from '../../store/users/users.ts';
import { removeAccountsOf, type RemoveAccountsServices } from './remove-accounts.ts';
import { removeEmitter, type RemoveEmitterServices } from './remove-emitter.ts';
import { notFound } from '../../domain/errors.ts';

interface RemoveUserServices extends RemoveAccountsServices, RemoveEmitterServices {
  users: Pick<UserStore, 'find' | 'setSuspension' | 'rotateKey' | 'setLocalKey' | 'removeListedKeys' | 'remove'>;
  auditLog: Pick<AuditLog, 'removeAll'>;
  removals: RemovalStore;
  sources: RemoveEmitterServices['sources'] & Pick<SourceStore, 'ids'>;
  workflows: RemoveEmitterServices['workflows'] & Pick<WorkflowStore, 'ids'>;
  webhooks: Pick<WebhookStore, 'ids' | 'remove'>;
  subscriptions: Pick<SubscriptionStore, 'list' | 'remove' | 'removeAllOf'>;
  autoSubscriptions: Pick<AutoSubscriptionStore, 'list' | 'remove'>;
  sendRetry(message: RetryMessage, delaySeconds: number): Promise<void>;
  unreadable: { add(item: UnreadableItem): void; all(): readonly UnreadableItem[] };
  random: Random;
}

interface Removed {
  user: User | undefined;
  /** False while anything of the user cannot be read: the user stays, so that a repetition finds it. */
  isComplete: boolean;
  /** Accounts whose tokens may still work at the provider. */
  unrevoked: number;
  /** Numbers of removed things. */
  removed: { emitters: number; webhooks: number; accounts: number };
}

/** Removes a user with everything that it owns. An interrupted removal can be repeated. */
export async function removeUser(services: RemoveUserServices, id: UserId): Promise<Removed> {
  const { users, unreadable, random, now } = services;
  const user = await users.find(id);
  // End the keys first, so that the user can create nothing more; caches accept the old key for up to 60 s.
  await users.setSuspension(id, user?.suspendedAt ?? now());
  await users.rotateKey(id, hashOfKey(newApiKey(random)));
  await users.setLocalKey(id, undefined);
  await users.removeListedKeys(id);
  const { count, unrevoked, removed } = await removeEverythingOf(services, id);
  await services.auditLog.removeAll(id);
  if (!user && count === 0) throw notFound(`user ${id}`);
  if (unreadable.all().length > 0) return { user, isComplete: false, unrevoked, removed };
  await users.remove(id);
  // A sign-in that was confirmed meanwhile has made one more; without the user none is confirmed.
  const late = await removeAccountsOf(services, id);
  const accounts = removed.accounts + late.count;
  return { user, isComplete: true, unrevoked: unrevoked + late.unrevoked, removed: { ...removed, accounts } };
}

/** Resolves with the number of removed objects. */
async function removeEverythingOf(
  services: RemoveUserServices,
  ownerId: UserId,
): Promise<Pick<Removed, 'unrevoked' | 'removed'> & { count: number }> {
  const { autoSubscriptions, subscriptions } = services;
  const autos = await autoSubscriptions.list(ownerId);
  for (const auto of autos) await autoSubscriptions.remove(auto);
  const emitters = await removeEmittersOf(services, ownerId);
  const webhooks = await removeWebhooksOf(services, ownerId);
  const left = await subscriptions.list(ownerId);
  for (const subscription of left) await subscriptions.remove(subscription);
  const accounts = await removeAccountsOf(services, ownerId);
  await removeEmitter(services, { emitterId: noticesIdOf(ownerId), ownerId });
  return {
    count: accounts.count + autos.length + emitters + webhooks + left.length,
    unrevoked: accounts.unrevoked,
    removed: { emitters, webhooks, accounts: accounts.count },
  };
}

async function removeEmittersOf(services: RemoveUserServices, ownerId: UserId): Promise<number> {
  const { removals, sources, unreadable, workflows } = services;
  let removed = 0;
  const remove = async (emitterId: EmitterId) => {
    await removeEmitter(services, { emitterId, ownerId });
    removed += 1;
  };
  for (const removal of await removals.list()) if (removal.ownerId === ownerId) await remove(removal.emitterId);
  await eachOnce(
    () => sources.ids(ownerId),
    (id) => whileReadable(id, unreadable.add, () => remove(id)),
  );
  for (const id of await workflows.ids(ownerId)) await remove(id);
  return removed;
}

/** Also those whose items cannot be read. */
async function removeWebhooksOf(
  { webhooks, subscriptions, sendRetry }: RemoveUserServices,
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
async function eachOnce<Id>(read: () => Promise<readonly Id[]>, work: (id: Id) => Promise<void>): Promise<void> {
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
