import { MINUTE_MS } from '../../lib/durations.ts';
import type { DrainMessage } from '../../domain/run/message.ts';
import type { Source } from '../../domain/source/source.ts';
import type { Drained } from '../../store/emitters/backlog-item.ts';

type About = Pick<DrainMessage, 'emitterId' | 'ownerId' | 'at'> & { backlog: string };

/** Longer than a message that executes a backlog is hidden, and than the longest pause after a failure. */
const STALLED_MS = 15 * MINUTE_MS;

const messageOf = (about: About, chain: string, number: number): DrainMessage => ({
  kind: 'drain',
  // A repeated send within five minutes is dropped by its id.
  id: `drain-${about.emitterId}-${chain}-${number}`,
  ...about,
  chain,
  number,
});

export const firstDrain = (about: About): DrainMessage => messageOf(about, about.backlog, 0);

/** Executes updates and deletions, and goes on with a backlog that waits. `cause` is the same for a repetition. */
export const wakeUp = (about: About, cause: string): DrainMessage => messageOf(about, `w${cause}`, 0);

export const nextDrain = ({ emitterId, ownerId, backlog, chain, number }: DrainMessage, at: number): DrainMessage =>
  messageOf({ emitterId, ownerId, at, backlog: backlog ?? '' }, chain, number + 1);

/**
 * A message to the group of the source, whose consumer lets a backlog that waits, or whose messages are lost, be
 * executed.
 */
export const resumeDrain = ({ id, ownerId }: Pick<Source, 'id' | 'ownerId'>, at: number): DrainMessage => ({
  kind: 'drain',
  id: `resume-${id}-${at}`,
  emitterId: id,
  ownerId,
  at,
  chain: '',
  number: 0,
});

/** Whether the chain of messages is lost: its last message was set aside, or deleted by hand. */
export const isStalled = ({ isWaiting = false, at, failed }: Drained, now: number): boolean =>
  !isWaiting && now - Math.max(at, failed?.retryAt ?? 0) > STALLED_MS;
