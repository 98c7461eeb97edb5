import { stepsOf } from '../../domain/event/event-pattern/condition.ts';
import { createMatchers, type EventFilter } from '../../domain/event/event-pattern/event-filter.ts';
import type { EventId } from '../../domain/event/event-id.ts';
import type { EmitterId } from '../../domain/id.ts';
import { eventMessage, GAP } from '../../domain/live/sse-message.ts';
import { chosenFields, type FieldChoice } from '../../lib/fields.ts';
import { finishNow } from '../../lib/reading/work-steps.ts';
import { toJson } from '../../lib/json-text.ts';
import type { StoredEvent } from '../../store/events/event-item.ts';

/** The events of a stream that a listener gets, and their fields. Listeners with one key share the text. */
export interface LiveView {
  readonly key: string;
  readonly filter: EventFilter | undefined;
  readonly fields: FieldChoice;
}

export const liveView = (filter: EventFilter | undefined, fields: FieldChoice): LiveView => ({
  key: JSON.stringify([filter, fields.include, fields.exclude]),
  filter,
  fields,
});

export type ShowEvent = (emitterId: EmitterId, event: StoredEvent) => object;

const NOTHING = Buffer.alloc(0);
const matcherOf = createMatchers();

/**
 * Events that became readable together, as messages. They are formatted once for each view, however many listeners
 * there are.
 */
export class LiveBatch {
  readonly #emitterId: EmitterId;
  readonly #events: readonly StoredEvent[];
  readonly #show: ShowEvent;
  readonly #hasGap: boolean;
  readonly #texts = new Map<string, Buffer>();
  /** Parsed events, for filters. */
  readonly #values = new Map<StoredEvent, unknown>();
  /** Whether an event passes a filter, by both. */
  #outcomes = new Map<EventFilter, Map<StoredEvent, boolean>>();

  /** `events` are whole, oldest first. */
  constructor(
    emitterId: EmitterId,
    events: readonly StoredEvent[],
    { show, hasGap = false }: { show: ShowEvent; hasGap?: boolean },
  ) {
    this.#emitterId = emitterId;
    this.#events = events;
    this.#show = show;
    this.#hasGap = hasGap;
  }

  /** Size of its events, about. */
  get characters(): number {
    return this.#events.reduce((sum, { json }) => sum + json.length, 0);
  }

  /** Without the events that a listener has, and without the gap before the first of them. */
  without(isKnown: (id: EventId) => boolean): LiveBatch {
    const events = this.#events.filter(({ id }) => !isKnown(id));
    if (events.length === this.#events.length) return this;
    const hasGap = this.#hasGap && events[0] === this.#events[0];
    const batch = new LiveBatch(this.#emitterId, events, { show: this.#show, hasGap });
    batch.#outcomes = this.#outcomes;
    return batch;
  }

  /** Applies the filter of a view in steps. */
  *evaluate({ filter }: LiveView): Generator<undefined, void, undefined> {
    if (filter === undefined) return;
    const outcomes = this.#outcomes.get(filter) ?? new Map<StoredEvent, boolean>();
    this.#outcomes.set(filter, outcomes);
    for (const event of this.#events)
      if (!outcomes.has(event)) outcomes.set(event, yield* stepsOf(matcherOf(filter)(this.#valueOf(event))));
  }

  /** Empty if the view has none of the events. Evaluates its filter now, where {@link LiveBatch.evaluate} has not. */
  textFor(view: LiveView): Buffer {
    const known = this.#texts.get(view.key);
    if (known) return known;
    const made = this.#format(view);
    this.#texts.set(view.key, made);
    return made;
  }

  #format(view: LiveView): Buffer {
    finishNow(this.evaluate(view));
    const { filter, fields } = view;
    const outcomes = filter === undefined ? undefined : this.#outcomes.get(filter);
    const messages: string[] = this.#hasGap ? [GAP] : [];
    for (const event of this.#events) {
      // Once, also where the batch itself begins with a gap.
      if (event.leftOut !== undefined && messages.at(-1) !== GAP) messages.push(GAP);
      if (outcomes?.get(event) === false) continue;
      messages.push(eventMessage(event.id, toJson(chosenFields(this.#show(this.#emitterId, event), fields))));
    }
    return messages.length === 0 ? NOTHING : Buffer.from(messages.join(''));
  }

  /** Parsing an event of 1 MiB may take 50 ms: it is done once for all filters. */
  #valueOf(event: StoredEvent): unknown {
    if (!this.#values.has(event)) this.#values.set(event, JSON.parse(event.json));
    return this.#values.get(event);
  }
}
