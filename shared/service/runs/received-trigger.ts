import * as z from 'zod';
import type { EmitterId } from '../../domain/id.ts';
import { type RunTrigger, ScheduledTick, Trigger } from '../../domain/message.ts';
import { tickId } from '../../domain/tick-id.ts';

/** A trigger as its queue gave it. */
export interface Received {
  trigger: Trigger;
  /** Grows within the emitter's group. */
  sequence: string;
  /** Epoch ms; the same however often it is received. */
  firstReceivedAt: number;
  receiveCount: number;
}

/** The triggers of one emitter, in order. */
export interface Group {
  emitterId: EmitterId;
  /** Which queue they came from: sequence numbers of another one say nothing. */
  queue: string;
  received: readonly Received[];
  /** Whether something that takes so long may still be started. */
  mayStart(limitMs: number): boolean;
  /** Nothing may start later than this, epoch ms. */
  startBefore: number;
}

const Message = z.discriminatedUnion('kind', [...Trigger.options, ScheduledTick]);

/** A message of `runs.fifo`; what a schedule put there becomes the trigger that it means. */
export function parseTrigger(body: string): Trigger {
  const message = Message.parse(JSON.parse(body));
  return message.kind === 'tick' ? tickTrigger(message) : message;
}

/** Its payload is made from the timer in force when it is carried out. */
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

/** Whether a message was carried out already: its state was saved, and only the acknowledgement was lost. */
export const isDone = (
  done: { queue: string; sequence: string } | undefined,
  { queue }: Pick<Group, 'queue'>,
  { sequence }: Received,
): boolean => done?.queue === queue && BigInt(sequence) <= BigInt(done.sequence);
