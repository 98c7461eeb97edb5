import { withoutEffect } from '../../../shared/service/schedules/dry-run.ts';
import { reconcile } from '../../../shared/service/schedules/reconcile.ts';
import type { ReconcilePosition } from '../../../shared/service/schedules/reconcile-position.ts';
import {
  noCounts,
  type ReconcileCounts,
  type ScheduleKind,
} from '../../../shared/service/schedules/reconcile-context.ts';
import { refusedFailure } from '../../tributary/failures.ts';
import type { Operator } from '../operator.ts';
import type { Report } from '../operator-command.ts';
import { reasonOf } from '../reason.ts';

/** Reconciles, and reports. An interruption or an error names the position from which a later call continues. */
export async function reconcileSchedules(
  operator: Pick<Operator, 'reconciling' | 'unreadable'>,
  { after, dryRun: isDry }: { after?: ReconcilePosition | undefined; dryRun: boolean },
  { interrupted }: { interrupted: AbortSignal },
): Promise<Report> {
  const counts = noCounts();
  const services = operator.reconciling();
  const context = { services: isDry ? withoutEffect(services) : services, counts, isDry };
  let position: ReconcilePosition | undefined = after;
  try {
    for await (position of reconcile(context, after)) interrupted.throwIfAborted();
  } catch (error) {
    const continued = position === undefined ? 'Repeat it.' : `Continue with --after ${position}.`;
    const reason = interrupted.aborted ? 'It was interrupted.' : reasonOf(error);
    throw refusedFailure(`The schedules are not all reconciled: ${reason} ${continued}`);
  }
  return {
    json: { ...counts, unreadable: operator.unreadable.all(), dry_run: isDry },
    text: textOf(counts, isDry),
    isFailed: counts.unsettled > 0,
  };
}

const WORDS: Record<ScheduleKind, string> = {
  timers: 'timers',
  delayed_emits: 'delayed emits',
  retries: 'retries',
  keeping: 'logs of webhooks',
};

function textOf({ created, ended, messages, unsettled, lost }: ReconcileCounts, isDry: boolean): string {
  const would = (done: string, todo: string) => (isDry ? todo : done);
  return [
    `${would('Made', 'Would make')} schedules of ${listOf(created)}.`,
    `${would('Ended', 'Would end')} schedules of ${listOf(ended)}.`,
    `${would('Sent', 'Would send')} ${messages} messages again.`,
    ...(unsettled === 0 ? [] : [`${unsettled} sources were changed meanwhile: run the command again.`]),
    ...(lost === 0
      ? []
      : [`${lost} delayed emits of an earlier release have no schedule and no stored time: they stay on $in.`]),
  ].join('\n');
}

const listOf = (counts: Record<ScheduleKind, number>): string =>
  Object.entries(WORDS)
    .map(([kind, words]) => `${counts[kind as ScheduleKind]} ${words}`)
    .join(', ');
