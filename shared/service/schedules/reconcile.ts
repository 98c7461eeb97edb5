import { type UserId, DeliveryId, EmitterId, SourceId, WebhookId } from '../../domain/id.ts';
import { createLimiter } from '../../lib/limiter.ts';
import { whileReadable } from '../../domain/unreadable.ts';
import { settleAll } from '../../lib/settle-all.ts';
import type { ReconcileContext, ScheduleKind } from './reconcile-context.ts';
import { ORPHANS, type ReconcilePosition } from './reconcile-position.ts';
import { restoreRetries, restoreWebhook } from './restore-listener.ts';
import type { ListedSchedule } from '../../aws/scheduling/schedule-reader.ts';
import { awaitsAttempt } from '../../domain/delivery/delivery.ts';
import { EventId } from '../../domain/event/event-id.ts';
import { RetryMessage } from '../../domain/run/message.ts';
import { settleTimer } from './settle-timer.ts';
import type { Source } from '../../domain/source/source.ts';
import { LONGEST_DELAY_SECONDS } from '../../domain/run/queue-delay.ts';
import { resumeDrain } from '../backlog/drain-messages.ts';
import { sendRevision } from '../sources/create-source.ts';
import { createMissing } from './create-missing.ts';
import { delayedEmitName, delayedEmitSchedule } from './delayed-emit-schedule.ts';

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

/** A younger schedule may be of an item that is being written: webhooks and retries have their schedules first. */
const YOUNG_MS = 120_000;

const KINDS: readonly [ScheduleKind, RegExp][] = [
  ['timers', /^timer-(dc_[A-Za-z0-9]+)$/],
  ['keeping', /^keep-(wh_[A-Za-z0-9]+)$/],
  ['delayed_emits', /^in-((?:dc|p)_[A-Za-z0-9]+)-(\d+-\d+)$/],
  ['retries', /^(dl_[0-9a-z]{24})-(\d+)$/],
];

/** Ends a schedule of a function if nothing needs it. Those of the stack itself have other names. */
async function endOrphan(context: ReconcileContext, { name, changedAt }: ListedSchedule): Promise<void> {
  const { services, counts } = context;
  for (const [kind, pattern] of KINDS) {
    const [, id, more] = pattern.exec(name) ?? [];
    if (id === undefined) continue;
    if (kind === 'timers') return settleTimer(context, SourceId.parse(id));
    if (changedAt > services.now() - YOUNG_MS || (await isNeeded(context, { kind, name, id, more }))) return;
    counts.ended[kind] += 1;
    return services.schedules.delete(name);
  }
}

interface NamedSchedule {
  kind: Exclude<ScheduleKind, 'timers'>;
  name: string;
  id: string;
  more: string | undefined;
}

async function isNeeded(context: ReconcileContext, { kind, name, id, more }: NamedSchedule): Promise<boolean> {
  const { webhooks, waiting } = context.services;
  if (kind === 'keeping') return (await webhooks.find(WebhookId.parse(id))) !== undefined;
  if (kind === 'delayed_emits') return waiting.isWaiting(EmitterId.parse(id), EventId.parse(more));
  return isRetryNeeded(context, { name, id, messageNumber: Number(more) });
}

/** The name of a retry's schedule lacks the listener, which the message has. */
async function isRetryNeeded(
  { services: { reader, deliveries } }: ReconcileContext,
  { name, id, messageNumber }: { name: string; id: string; messageNumber: number },
): Promise<boolean> {
  const found = await reader.find(name);
  // It has fired since, and is gone.
  if (!found) return true;
  const message = RetryMessage.parse(JSON.parse(found.input));
  const delivery = await deliveries.find(message.listenerId, DeliveryId.parse(id));
  return delivery !== undefined && awaitsAttempt(delivery) && delivery.messageNumber <= messageNumber;
}

/** The message of a revision this old is probably lost. */
const LOST_AFTER_MS = LONGEST_DELAY_SECONDS * 1_000;

/** Makes the schedules of a source that are missing, and sends the message of its pending revision again. */
async function restoreSource(context: ReconcileContext, id: SourceId): Promise<void> {
  const { services, counts } = context;
  const { sources, now } = services;
  const source = await sources.find(id);
  if (!source || source.state === 'deleting') return;
  if (source.pending && source.pending.since < now() - LOST_AFTER_MS) {
    counts.messages += 1;
    // The queue drops a copy of the message, and the lifecycle a revision that is no longer pending.
    await sendRevision(services, source, source.pending);
  }
  await goOn(context, source);
  await settleTimer(context, id);
  await restoreDelayedEmits(context, source);
}

/** The message that executes the backlog of a source may be lost. A second message changes nothing. */
async function goOn({ services, counts }: ReconcileContext, source: Source): Promise<void> {
  const { backlogs, sendDrain, now } = services;
  if (!(await backlogs.waiting([source.id])).has(source.id)) return;
  counts.messages += 1;
  await sendDrain(resumeDrain(source, now()));
}

async function restoreDelayedEmits(context: ReconcileContext, { id: emitterId, ownerId }: Source): Promise<void> {
  const { services, counts } = context;
  const { waiting, reader, queues, now } = services;
  for await (const page of waiting.pages(emitterId)) {
    for (const { id, emitId, delayedTo } of page) {
      if (delayedTo) {
        const event = { id, emitId, delayedTo };
        const options = { runsQueueArn: queues.runsQueueArn, at: now() };
        await createMissing(context, 'delayed_emits', delayedEmitSchedule({ emitterId, ownerId }, event, options));
      } else if (!(await reader.find(delayedEmitName(emitterId, id)))) counts.lost += 1;
    }
  }
}
