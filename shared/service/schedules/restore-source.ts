import type { SourceId } from '../../domain/id.ts';
import type { Source } from '../../domain/source/source.ts';
import { LONGEST_DELAY_SECONDS } from '../../domain/run/queue-delay.ts';
import { resumeDrain } from '../backlog/drain-messages.ts';
import { sendRevision } from '../sources/create-source.ts';
import { createMissing } from './create-missing.ts';
import { delayedEmitName, delayedEmitSchedule } from './delayed-emit-schedule.ts';
import type { ReconcileContext } from './reconcile-context.ts';
import { settleTimer } from './settle-timer.ts';

/** The message of a revision this old is probably lost. */
const LOST_AFTER_MS = LONGEST_DELAY_SECONDS * 1_000;

/** Makes the schedules of a source that are missing, and sends the message of its pending revision again. */
export async function restoreSource(context: ReconcileContext, id: SourceId): Promise<void> {
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
