import type { EmitterId, UserId } from '../../domain/id.ts';
import type { Resumption } from '../../domain/live/resume.ts';
import { GAP, startMessage } from '../../domain/live/sse-message.ts';
import { LONGEST_REPLAY_WAIT_MS } from '../../domain/live/stream-limits.ts';
import { groupsWithin } from '../../lib/reading/groups-within.ts';
import type { StoredEvent } from '../../store/events/event-item.ts';
import type { BodyRead, BodyReads } from '../admission/body-reads.ts';
import { LiveBatch, type LiveView, type ShowEvent } from './live-batch.ts';
import type { LiveOutput } from './live-output.ts';

export interface ReplayServices {
  reads: BodyReads;
  show: ShowEvent;
}

/** The events that a client lacks when it joins. */
export interface Replay {
  readonly userId: UserId;
  /** Replays of one user with different lanes take turns. */
  readonly lane: string;
  readonly emitterId: EmitterId;
  readonly resumption: Resumption<StoredEvent>;
}

/** Bytes of events that are read before another replay has its turn. One event may be larger. */
const SLICE_BYTES = 2 * 1024 * 1024;

/**
 * Sends the first message and the events that the client lacks. A user's replays take turns, and none of them has to
 * wait for a client that reads slowly. A replay that has waited too long ends with a gap. Returns whether it sent
 * events or a gap.
 */
export async function sendReplay(
  output: LiveOutput,
  { reads, show }: ReplayServices,
  { userId, lane, emitterId, resumption, view }: Replay & { view: LiveView },
): Promise<boolean> {
  const { newest, replay } = resumption;
  let { hasGap } = resumption;
  // It goes with the first event: a client that got it alone would go on after the newest event.
  let beginning = startMessage(newest);
  let hasEvents = false;
  let waitMs = LONGEST_REPLAY_WAIT_MS;

  const textsOf = async (read: BodyRead, slice: readonly StoredEvent[]): Promise<Buffer[]> => {
    const texts: Buffer[] = [];
    for await (const { whole } of read.whole(emitterId, slice)) {
      const batch = new LiveBatch(emitterId, [whole], { show, hasGap });
      hasGap = false;
      await read.inSteps(() => batch.evaluate(view));
      texts.push(batch.textFor(view));
    }
    return texts;
  };

  for (const slice of groupsWithin(replay, { bytes: SLICE_BYTES }, ({ bytes }) => bytes)) {
    const askedAt = performance.now();
    const request = { userId, lane, client: output, withinMs: Math.max(0, waitMs) };
    const outcome = await reads.runWithin('replay', request, (read) => {
      waitMs -= performance.now() - askedAt;
      return textsOf(read, slice);
    });
    if (outcome === 'gone') return hasEvents;
    if (outcome === 'late') {
      output.send(beginning + GAP);
      return true;
    }
    const text = Buffer.concat(outcome.value);
    if (text.length === 0) continue;
    await output.sendPaced(Buffer.concat([Buffer.from(beginning), text]));
    beginning = '';
    hasEvents = true;
  }
  output.send(beginning);
  return hasEvents;
}
