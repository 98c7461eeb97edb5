import * as z from 'zod';
import { DrainMessage, type RunTrigger, ScheduledTick, Trigger } from './message.ts';
import { tickId } from './tick-id.ts';

/** Every message of `runs.fifo`: triggers, ticks of schedules, and messages that execute a backlog. */
export const RunsMessage = z.discriminatedUnion('kind', [...Trigger.options, ScheduledTick, DrainMessage]);

/** Parses a message of `runs.fifo`; a schedule's tick becomes a run trigger. */
export function parseTrigger(body: string): Trigger | DrainMessage {
  const message = RunsMessage.parse(JSON.parse(body));
  return message.kind === 'tick' ? tickTrigger(message) : message;
}

/** The payload is a placeholder: the event of a tick is made from the source's timer at execution. */
const tickTrigger = (tick: ScheduledTick): RunTrigger => ({
  kind: 'run',
  id: tickId(tick),
  emitterId: tick.sourceId,
  ownerId: tick.ownerId,
  at: Date.parse(tick.scheduledAt),
  cause: 'timer',
  payload: { json: '{}' },
  hops: 0,
  generation: tick.generation,
});
