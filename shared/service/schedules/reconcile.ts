import type { UserId } from '../../domain/id.ts';
import { createLimiter } from '../../lib/limiter.ts';
import { whileReadable } from '../../domain/unreadable.ts';
import { settleAll } from '../../lib/settle-all.ts';
import { endOrphan } from './end-orphans.ts';
import type { ReconcileContext } from './reconcile-context.ts';
import { ORPHANS, type ReconcilePosition } from './reconcile-position.ts';
import { restoreRetries, restoreWebhook } from './restore-listener.ts';
import { restoreSource } from './restore-source.ts';

/** Concurrent calls to the scheduler stay far below its quotas of some hundreds a second. */
const MAX_CONCURRENT = 10;

/**
 * Compares the schedules of functions with the table. First it makes those that are missing, user by user; then it
 * reads the list of schedules, a page at a time, and ends those that belong to nothing. Every step can be repeated.
 * Yields the position from which a later call can continue.
 */
export async function* reconcile(
  context: ReconcileContext,
  from?: ReconcilePosition,
): AsyncGenerator<ReconcilePosition> {
  const { users, reader } = context.services;
  if (from !== ORPHANS) {
    for (const id of await users.ids()) {
      if (from !== undefined && id <= from) continue;
      await restoreUser(context, id);
      yield id;
    }
    yield ORPHANS;
  }
  for await (const page of reader.pages()) {
    await each(
      page.map((listed) => ({ id: listed.name, work: () => endOrphan(context, listed) })),
      context,
    );
    yield ORPHANS;
  }
}

async function restoreUser(context: ReconcileContext, ownerId: UserId): Promise<void> {
  const { sources, webhooks, workflows } = context.services;
  const steps = [
    (await sources.ids(ownerId)).map((id) => ({ id, work: () => restoreSource(context, id) })),
    (await webhooks.ids(ownerId)).map((id) => ({ id, work: () => restoreWebhook(context, id) })),
    (await workflows.ids(ownerId)).map((id) => ({ id, work: () => restoreRetries(context, id) })),
  ];
  for (const step of steps) await each(step, context);
}

interface Work {
  id: string;
  work(): Promise<void>;
}

async function each(all: readonly Work[], { services }: ReconcileContext): Promise<void> {
  const limited = createLimiter(MAX_CONCURRENT);
  await settleAll(all.map(({ id, work }) => limited(() => whileReadable(id, services.onUnreadable, work))));
}
