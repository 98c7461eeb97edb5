import type { ListedSchedule } from '../../aws/scheduling/schedule-reader.ts';
import { awaitsAttempt } from '../../domain/delivery/delivery.ts';
import { EventId } from '../../domain/event/event-id.ts';
import { DeliveryId, EmitterId, SourceId, WebhookId } from '../../domain/id.ts';
import { RetryMessage } from '../../domain/run/message.ts';
import type { ReconcileContext, ScheduleKind } from './reconcile-context.ts';
import { settleTimer } from './settle-timer.ts';

/** A younger schedule may be of an item that is being written: webhooks and retries have their schedules first. */
const YOUNG_MS = 120_000;

const KINDS: readonly [ScheduleKind, RegExp][] = [
  ['timers', /^timer-(dc_[A-Za-z0-9]+)$/],
  ['keeping', /^keep-(wh_[A-Za-z0-9]+)$/],
  ['delayed_emits', /^in-((?:dc|p)_[A-Za-z0-9]+)-(\d+-\d+)$/],
  ['retries', /^(dl_[0-9a-z]{24})-(\d+)$/],
];

/** Ends a schedule of a function if nothing needs it. Those of the stack itself have other names. */
export async function endOrphan(context: ReconcileContext, { name, changedAt }: ListedSchedule): Promise<void> {
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
  /** The parts of the name. */
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
