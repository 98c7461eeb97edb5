import * as z from 'zod';
import type { EmitterId } from '../../domain/id.ts';
import { type RunTrigger, ScheduledTick, Trigger } from '../../domain/run/message.ts';
import { tickId } from '../../domain/run/tick-id.ts';

/** A trigger with the attributes of its queue message. */
export interface Received {
  trigger: Trigger;
  /** Increases within the emitter's message group. */
  sequence: string;
  /** Epoch ms; the same at every receive. */
  firstReceivedAt: number;
  receiveCount: number;
}

/** Receive count of a trigger that has waited for about 24 minutes: eleven waits of 2, 4, 8 … 300 s. */
const MAX_WAITS_FOR_PLACE = 12;

/** A trigger that has waited for long runs without a permit among its owner's concurrent runs, so that it does not become a dead letter. */
export const hasWaitedForPermit = ({ receiveCount }: Pick<Received, 'receiveCount'>): boolean =>
  receiveCount >= MAX_WAITS_FOR_PLACE;

/** The triggers of one emitter, in order. */
export interface Group {
  /** Names the batch in the log. */
  batch: string;
  emitterId: EmitterId;
  /** The queue's ARN: sequence numbers of different queues are not comparable. */
  queue: string;
  received: readonly Received[];
  /** Whether work with this time limit may still start. */
  mayStart(limitMs: number): boolean;
  /** Latest start of a job, epoch ms. */
  startBefore: number;
}

/** Every message of `runs.fifo`: triggers, and ticks of schedules. */
export const RunsMessage = z.discriminatedUnion('kind', [...Trigger.options, ScheduledTick]);

/** Parses a message of `runs.fifo`; a schedule's tick becomes a run trigger. */
export function parseTrigger(body: string): Trigger {
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

/** Whether a message was completed before: its state was saved, and only the acknowledgement was lost. */
export const isDone = (
  done: { queue: string; sequence: string } | undefined,
  { queue }: Pick<Group, 'queue'>,
  { sequence }: Received,
): boolean => done?.queue === queue && BigInt(sequence) <= BigInt(done.sequence);
