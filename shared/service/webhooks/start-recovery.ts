import { DAY_MS } from '../../lib/durations.ts';
import { ServiceError } from '../../domain/errors.ts';
import { newId, type Random, RecoveryId, type WebhookId } from '../../domain/id.ts';
import type { RetryMessage } from '../../domain/run/message.ts';
import { isRecoverable, type Recovery } from '../../domain/delivery/recovery.ts';
import type { Webhook } from '../../domain/webhook/webhook.ts';
import type { DeliveryStore } from '../../store/deliveries/deliveries.ts';
import { idsBetween } from '../../store/deliveries/delivery-order.ts';
import type { RecoveryStore } from '../../store/deliveries/recoveries.ts';
import { changeCurrent } from '../../store/table/change-current.ts';
import { invalidField } from '../../domain/check.ts';

interface StartRecoveryOptions {
  deliveries: Pick<DeliveryStore, 'read'>;
  recoveries: RecoveryStore;
  sendRetry(message: RetryMessage, delaySeconds: number): Promise<void>;
  random: Random;
  now(): number;
}

const LONGEST_AGO_MS = 14 * DAY_MS;
/** A client that asks for 14 days computes the time before its request arrives. */
const UNDERWAY_MS = 60_000;

/** Refuses a time in the future, or more than 14 days ago. */
export function checkedSince(since: number, now: number): number {
  const message =
    since > now
      ? 'must not be in the future'
      : since < now - LONGEST_AGO_MS - UNDERWAY_MS
        ? 'must be at most 14 days ago'
        : undefined;
  if (message === undefined) return since;
  throw invalidField('since', message);
}

export async function lastRecovery(
  { recoveries }: { recoveries: Pick<RecoveryStore, 'find'> },
  id: WebhookId,
): Promise<Recovery> {
  const recovery = await recoveries.find(id);
  if (recovery) return recovery;
  throw new ServiceError('not_found', `There was no recovery of ${id} yet; POST to this path begins one.`);
}

/** Deliveries per query of the count. */
const PAGE = 1_000;

/** Starts a recovery, or returns the one that runs. */
export async function startRecovery(
  options: StartRecoveryOptions,
  { webhook, since }: { webhook: Webhook; since: number },
): Promise<Recovery> {
  const { recoveries, sendRetry, random, now } = options;
  if (!webhook.active) {
    throw new ServiceError(
      'webhook_inactive',
      `The webhook ${webhook.id} is not active: enable it first (PUT with "active": true).`,
    );
  }
  const recovery = await changeCurrent({
    find: async () => ({ before: await recoveries.find(webhook.id) }),
    write: async ({ before }) => {
      if (before?.status === 'running') return before;
      const started = await newRecovery();
      return (await recoveries.put(webhook.id, started, before?.id)) && started;
    },
  });
  // The message of a running recovery is sent again: the process that started it may have ended before it sent the
  // first one.
  if (recovery.status === 'running')
    await sendRetry({ kind: 'recover', listenerId: webhook.id, recoveryId: recovery.id, part: recovery.chunk }, 0);
  return recovery;

  async function newRecovery(): Promise<Recovery> {
    const startedAt = now();
    const found = await countRecoverable(options, webhook, { since, until: startedAt });
    const isDone = found === 0;
    return {
      id: RecoveryId.parse(newId('recovery', startedAt, random)),
      since,
      until: startedAt,
      status: isDone ? 'done' : 'running',
      found,
      sent: 0,
      delivered: 0,
      chunk: 0,
      ...(webhook.ordered ? { isQueued: false } : {}),
      startedAt,
      ...(isDone ? { finishedAt: startedAt } : {}),
    };
  }
}

async function countRecoverable(
  { deliveries }: StartRecoveryOptions,
  { id }: Webhook,
  { since, until }: { since: number; until: number },
): Promise<number> {
  let found = 0;
  const range = { ...idsBetween(since, until), isUpwards: true };
  for await (const delivery of deliveries.read(id, range, { pageSize: PAGE })) if (isRecoverable(delivery)) found += 1;
  return found;
}
