import { emitNamer, shortHash } from '../../domain/emit-id.ts';
import { eventId, type EventPosition } from '../../domain/event-id.ts';
import type { EmitterId } from '../../domain/id.ts';
import { shownEvent } from '../../domain/raw-event.ts';
import type { NewEvent } from '../../store/event-item.ts';
import type { EmitterState } from '../../store/emitters.ts';
import type { PlannedEvent } from './run-outcome.ts';

/** What one trigger made. */
export interface Planned {
  triggerId: string;
  /** Its event ids begin here or later, epoch ms. */
  firstMs: number;
  hops: number;
  events: readonly PlannedEvent[];
}

/** One event on its way into the table and out to its listeners. */
export interface Numbered {
  planned: PlannedEvent;
  stored: NewEvent;
  hops: number;
}

/** What is to be numbered, and the emitter's state as loaded. */
interface NumberedWork {
  emitterId: EmitterId;
  state: EmitterState;
  planned: readonly Planned[];
  /** Carried out beside the queue: event ids of their own. */
  isSynchronous?: boolean;
}

export interface Numbering {
  numbered: Numbered[];
  /** What of the state says which ids were given out; nothing beside the queue. */
  position: Partial<Pick<EmitterState, 'lastMs' | 'lastSequence'>>;
}

/** Gives out event ids and emit ids. In the queue the same triggers get the same ones again until the state is saved. */
export async function number(
  { emitterId, state, planned, isSynchronous }: NumberedWork,
  now: number,
): Promise<Numbering> {
  const numbered: Numbered[] = [];
  let { lastMs, lastSequence } = state;
  for (const { triggerId, firstMs, hops, events } of planned) {
    const emitId = emitNamer(triggerId);
    const beside = isSynchronous ? synchronousSequence(triggerId) : 0;
    const ms = Math.max(firstMs, lastMs);
    for (const [index, event] of events.entries()) {
      if (numbered.length % NAMED_IN_A_TURN === NAMED_IN_A_TURN - 1) await othersAreServed();
      let position: EventPosition;
      if (isSynchronous) {
        position = { ms: firstMs, sequence: beside + index };
      } else {
        lastSequence = ms === lastMs ? lastSequence + 1 : 0;
        lastMs = ms;
        position = { ms, sequence: lastSequence };
      }
      const { stream, json, identity, ownId, summary, ts } = event;
      numbered.push({
        planned: event,
        hops,
        stored: {
          stream,
          id: eventId(position),
          emitId: emitId({ stream, id: identity ?? ownId, json }),
          json: shownEvent(emitterId, stream, json),
          indexedAt: now,
          ownId,
          summary,
          ts,
        },
      });
    }
  }
  return { numbered, position: isSynchronous ? {} : { lastMs, lastSequence } };
}

/** Hashing thousands of events takes a while, in which this process would do nothing else. */
const NAMED_IN_A_TURN = 250;
const othersAreServed = () => new Promise<void>((resolve) => setImmediate(resolve));

const FIRST_SYNCHRONOUS = 2 ** 52;
/** Leaves room for the most events of one run below 2^53. */
const SYNCHRONOUS_STEP = 1_024;
const SYNCHRONOUS_STEPS = 2 ** 42 - 64;

/** Where the ids of a run beside the queue begin: above all that the queue gives out in a millisecond, apart from each other. */
function synchronousSequence(triggerId: string): number {
  const hash = Buffer.from(shortHash(triggerId), 'base64url').readUIntBE(0, 6);
  return FIRST_SYNCHRONOUS + (hash % SYNCHRONOUS_STEPS) * SYNCHRONOUS_STEP;
}
