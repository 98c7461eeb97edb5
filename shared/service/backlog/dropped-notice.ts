import { ERRORS_STREAM } from '../../domain/event/stream.ts';
import { errorEvent } from '../../domain/run/error-event.ts';
import { LONGEST_WAIT_MS } from '../../domain/run/backlog-limits.ts';
import type { EmitTrigger } from '../../domain/run/message.ts';
import type { Group, GroupResult } from '../../domain/run/received-trigger.ts';
import { DAY_MS } from '../../lib/durations.ts';
import type { Executing } from './drain-progress.ts';

/** Emits how many triggers were dropped since the last report. A crash in between repeats the report. */
export async function reportDropped(
  context: { execute(group: Group): Promise<GroupResult>; now(): number },
  { group, received, progress }: Executing,
): Promise<void> {
  const { emitterId, ownerId } = received.trigger;
  const now = context.now();
  const id = `expired-${emitterId}-${progress.position}`;
  const trigger: EmitTrigger = {
    kind: 'emit',
    id,
    emitterId,
    ownerId,
    at: now,
    stream: ERRORS_STREAM,
    payload: {
      json: errorEvent(
        { runId: id, at: now, sourceType: 'source', ownerId, sourceId: emitterId, originalEvent: () => '{}' },
        {
          code: 'triggers_expired',
          name: 'Error',
          message: `Triggers that waited for more than ${LONGEST_WAIT_MS / DAY_MS} days were dropped: ${progress.dropped}`,
          stack: '',
        },
        now,
      ),
    },
    hops: 0,
  };
  const { error } = await context.execute({
    ...group,
    received: [{ trigger, sequence: '0', sentAt: now, firstReceivedAt: progress.firstMs, receiveCount: 1 }],
    ignoresProgress: true,
  });
  if (error !== undefined) throw error;
  await progress.reported();
}
