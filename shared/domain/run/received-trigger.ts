import type { EmitterId } from '../id.ts';
import type { DrainMessage, Trigger } from './message.ts';

export interface Received {
  trigger: Trigger | DrainMessage;
  /** Increases within the emitter's message group. */
  sequence: string;
  /** Time at which the queue accepted it, epoch ms. */
  sentAt: number;
  /** Epoch ms; the same at every receive. */
  firstReceivedAt: number;
  receiveCount: number;
}

/** Receive count of a trigger that has waited for about 24 minutes: eleven waits of 2, 4, 8 … 300 s. */
const MAX_WAITS_FOR_PLACE = 12;

/**
 * A trigger that has waited for long runs without a permit among its owner's concurrent runs, so that it does not
 * become a dead letter.
 */
export const hasWaitedForPermit = ({ receiveCount }: Pick<Received, 'receiveCount'>): boolean =>
  receiveCount >= MAX_WAITS_FOR_PLACE;

const LONGEST_WAIT_SECONDS = 300;

/** Time until a trigger that failed is tried again. */
export const waitSeconds = (attempts: number): number => Math.min(2 ** attempts, LONGEST_WAIT_SECONDS);

export interface Group {
  /** Names the batch in the log. */
  batch: string;
  emitterId: EmitterId;
  /** The queue's ARN: sequence numbers of different queues are not comparable. */
  queue: string;
  received: readonly Received[];
  /** They are dropped: they get their records, and nothing runs. */
  areDropped?: boolean;
  /** They are executed before earlier triggers: the progress of the emitter's queue is neither asked nor changed. */
  ignoresProgress?: boolean;
  /** An earlier attempt may have stored a part of the results. */
  isRepeated?: boolean;
  /** Whether work with this time limit may still start. */
  mayStart(limitMs: number): boolean;
  /** Latest start of a job, epoch ms. */
  startBefore: number;
}

/** Whether an earlier attempt may have stored a part of the results of these triggers. */
export const isRepeated = (group: Pick<Group, 'received' | 'isRepeated'>): boolean =>
  group.isRepeated === true || group.received.some(({ receiveCount }) => receiveCount > 1);

/** Number of completed triggers of a group; the others must be received again. */
export interface GroupResult {
  completed: number;
  /** Reason for the stop; absent when time ran out or the runner started no further job. */
  error?: unknown;
  /** Time until the next message is received again. */
  pauseSeconds?: number;
}

/** Attempts after which a message or a trigger is set aside, alone. SQS does so later: it counts what only waited. */
export const ATTEMPTS = 20;

/** Whether a message is in the group of a backlog. */
export const isOfBacklog = ({ trigger }: Pick<Received, 'trigger'>): boolean =>
  trigger.kind === 'drain' && trigger.backlog !== undefined;

/** Updates and deletions: in a backlog they are executed before all other triggers. */
export const isMending = ({ kind }: Trigger): boolean => kind !== 'run' && kind !== 'emit';

/** The change of the emitter's state when it has completed this trigger. */
export const doneAfter = (
  { queue, ignoresProgress = false }: Pick<Group, 'queue' | 'ignoresProgress'>,
  { sequence }: Pick<Received, 'sequence'>,
): { done?: { queue: string; sequence: string } } => (ignoresProgress ? {} : { done: { queue, sequence } });

/** Whether a message was completed before: its state was saved, and only the acknowledgement was lost. */
export const isDone = (
  done: { queue: string; sequence: string } | undefined,
  { queue, ignoresProgress = false }: Pick<Group, 'queue' | 'ignoresProgress'>,
  { sequence }: Pick<Received, 'sequence'>,
): boolean => !ignoresProgress && done?.queue === queue && BigInt(sequence) <= BigInt(done.sequence);
