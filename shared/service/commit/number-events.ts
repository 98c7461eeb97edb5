import { answeredTriggerId } from '../../domain/run/answered-trigger.ts';
import { type Chain, chainsOfEvents } from '../../domain/run/chain.ts';
import { emitNamer, shortHash } from '../../domain/event/emit-id.ts';
import type { ErrorContext } from '../../domain/run/error-event.ts';
import { eventId, type EventPosition, FIRST_SYNCHRONOUS } from '../../domain/event/event-id.ts';
import type { EmitterId } from '../../domain/id.ts';
import { type EncodedJson, encodedIfLarge } from '../../domain/event/payload.ts';
import type { EndedRun } from '../../domain/run/run-record.ts';
import { shownEvent } from '../../domain/event/raw-event.ts';
import type { NewEvent } from '../../store/events/event-item.ts';
import type { EmitterState } from '../../store/emitters/emitters.ts';
import type { PlannedEvent } from './planned-event.ts';

interface RunSummary {
  outcome: 'ok' | 'failed';
  ms: number;
}

export interface Planned {
  triggerId: string;
  /** The lowest time of its event ids, epoch ms. */
  firstMs: number;
  chain: Chain;
  /** For the log; absent when the trigger only passed an event on. */
  run?: RunSummary;
  /** For the record of the trigger; absent when it has none. */
  ended?: EndedRun | undefined;
  /** Context of the `$errors` events that the commit adds. */
  context: ErrorContext;
  events: readonly PlannedEvent[];
}

/** Adds events to the last trigger: the others keep their ids. */
export function withLast(planned: readonly Planned[], events: readonly PlannedEvent[]): readonly Planned[] {
  const last = planned.at(-1);
  if (!last || events.length === 0) return planned;
  return [...planned.slice(0, -1), { ...last, events: [...last.events, ...events] }];
}

/** One event with its ids, ready to store and deliver. */
export interface Numbered {
  triggerId: string;
  planned: PlannedEvent;
  encoded: EncodedJson;
  stored: NewEvent;
  chain: Chain;
}

interface NumberedWork {
  emitterId: EmitterId;
  state: EmitterState;
  planned: readonly Planned[];
  /** A synchronous run: it uses its own range of event ids. */
  isSynchronous?: boolean;
}

export interface Numbering {
  numbered: Numbered[];
  /** The fields of the state that record the last id; empty for a synchronous run. */
  position: Partial<Pick<EmitterState, 'lastMs' | 'lastSequence'>>;
}

/** Assigns event ids and emit ids. Until the state is saved, the same queued triggers get the same ids again. */
export async function number(
  { emitterId, state, planned, isSynchronous }: NumberedWork,
  now: number,
): Promise<Numbering> {
  const numbered: Numbered[] = [];
  let { lastMs, lastSequence } = state;
  for (const { triggerId, firstMs, chain: chainOfRun, events } of planned) {
    const chains = chainsOfEvents(
      chainOfRun,
      events.map(({ stream }) => stream),
    );
    const emitId = emitNamer(triggerId);
    const firstSequence = isSynchronous ? synchronousSequence(triggerId) : 0;
    const ms = Math.max(firstMs, lastMs);
    for (const [index, event] of events.entries()) {
      if (numbered.length % EVENTS_PER_TICK === EVENTS_PER_TICK - 1) await nextTick();
      let position: EventPosition;
      if (isSynchronous) {
        position = { ms: firstMs, sequence: firstSequence + index };
      } else {
        lastSequence = ms === lastMs ? lastSequence + 1 : 0;
        lastMs = ms;
        position = { ms, sequence: lastSequence };
      }
      const { stream, json, shortened, identity, ownId, summary, ts } = event;
      const chain = chains[index] ?? chainOfRun;
      const encoded = encodedIfLarge(json);
      const shown = shownEvent(emitterId, stream, json);
      numbered.push({
        triggerId,
        planned: event,
        encoded,
        chain,
        stored: {
          stream,
          id: eventId(position),
          emitId: emitId({ stream, id: identity ?? ownId, json: encoded.utf8 ?? json }),
          ...(shown === json ? { ...encoded, shortened } : { json: shown }),
          indexedAt: now,
          ownId,
          summary,
          ts,
          triggerId: answeredTriggerId(triggerId),
          emittedBy: triggerId,
          trace: chain.trace,
        },
      });
    }
  }
  return { numbered, position: isSynchronous ? {} : { lastMs, lastSequence } };
}

/** Events hashed per tick of the event loop: hashing thousands in one tick would block the process. */
const EVENTS_PER_TICK = 250;
const nextTick = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Sequence numbers reserved for one run: more than a run may emit, and all of them stay below 2^53. */
const SYNCHRONOUS_STEP = 1_024;
const SYNCHRONOUS_STEPS = 2 ** 42 - 64;

/**
 * The first sequence number of a synchronous run: above all numbers of queued runs, and a different range for each
 * trigger.
 */
function synchronousSequence(triggerId: string): number {
  const hash = Buffer.from(shortHash(triggerId), 'base64url').readUIntBE(0, 6);
  return FIRST_SYNCHRONOUS + (hash % SYNCHRONOUS_STEPS) * SYNCHRONOUS_STEP;
}
