import type { EventId } from '../../domain/event/event-id.ts';
import type { EmitterId } from '../../domain/id.ts';
import type { Resumption } from '../../domain/live/resume.ts';
import { COMMENT, startMessage } from '../../domain/live/sse-message.ts';
import { MAX_BACKLOG_BYTES } from '../../domain/live/stream-limits.ts';
import type { StoredEvent } from '../../store/event-item.ts';
import { type StoredEventStore, wholeStoredEvent } from '../../store/stored-events.ts';
import { LiveBatch, type LiveView, type ShowEvent } from './live-batch.ts';
import type { LiveOutput } from './live-output.ts';
import type { StreamListener } from './stream-watcher.ts';

interface ListenerServices {
  events: Pick<StoredEventStore, 'whole'>;
  show: ShowEvent;
}

interface Replay {
  readonly emitterId: EmitterId;
  readonly resumption: Resumption<StoredEvent>;
  /** Whether an event was stored before the listener joined. */
  readonly isKnown: (id: EventId) => boolean;
}

/** Whole events in memory at a time. */
const REPLAY_BATCH = 8;

/** One client of a stream: first the events that it lacks, then every new one. Until then new ones wait. */
export class LiveListener implements StreamListener {
  readonly #view: LiveView;
  readonly #onEvents: () => void;
  #output: LiveOutput | undefined;
  /** Tells the events that the client has; undefined once a batch came without any, since batches come in order. */
  #isKnown: Replay['isKnown'] | undefined;
  #early: LiveBatch[] = [];
  #earlyBytes = 0;

  /** `onEvents` is called when events, or a gap, were sent. */
  constructor(view: LiveView, onEvents: () => void) {
    this.#view = view;
    this.#onEvents = onEvents;
  }

  take(batch: LiveBatch): void {
    if (this.#output) this.#send(batch);
    // A client that reads its first events too slowly gets a gap or these events when it connects again.
    else if (this.#earlyBytes <= MAX_BACKLOG_BYTES) {
      this.#early.push(batch);
      this.#earlyBytes += batch.textFor(this.#view).length;
    }
  }

  comment(): void {
    this.#output?.send(COMMENT);
  }

  async begin(
    output: LiveOutput,
    services: ListenerServices,
    { emitterId, resumption, isKnown }: Replay,
  ): Promise<void> {
    const { newest, replay, hasGap } = resumption;
    let beginning = startMessage(newest);
    let hasEvents = false;
    for (let at = 0; at < replay.length && !output.isOver; at += REPLAY_BATCH) {
      const part = replay.slice(at, at + REPLAY_BATCH);
      const whole = await Promise.all(part.map((each) => wholeStoredEvent(services.events, emitterId, each)));
      const batch = new LiveBatch(emitterId, whole, { show: services.show, hasGap: hasGap && at === 0 });
      const text = batch.textFor(this.#view);
      if (text.length === 0) continue;
      // In one piece with the first event: a client that got the first message alone would go on after the newest event.
      await output.sendPaced(Buffer.concat([Buffer.from(beginning), text]));
      beginning = '';
      hasEvents = true;
    }
    output.send(beginning);
    if (this.#earlyBytes > MAX_BACKLOG_BYTES) {
      output.cut();
      return;
    }
    this.#output = output;
    this.#isKnown = isKnown;
    for (const batch of this.#early.splice(0)) this.#send(batch);
    if (hasEvents) this.#onEvents();
  }

  #send(batch: LiveBatch): void {
    const fresh = this.#isKnown === undefined ? batch : batch.without(this.#isKnown);
    if (fresh === batch) this.#isKnown = undefined;
    const text = fresh.textFor(this.#view);
    if (text.length === 0) return;
    this.#output?.send(text);
    this.#onEvents();
  }
}
