import type { EventId } from '../../domain/event/event-id.ts';
import { COMMENT } from '../../domain/live/sse-message.ts';
import { MAX_BACKLOG_BYTES } from '../../domain/live/stream-limits.ts';
import type { LiveBatch, LiveView } from './live-batch.ts';
import type { LiveOutput } from './live-output.ts';
import { type Replay, type ReplayServices, sendReplay } from './replay.ts';
import type { StreamListener } from './stream-watcher.ts';

/** One client of a stream: first the events that it lacks, then every new one. Until then new ones wait. */
export class LiveListener implements StreamListener {
  readonly #view: LiveView;
  readonly #onEvents: () => void;
  #output: LiveOutput | undefined;
  /** Tells the events that the client has; undefined once a batch came without any, since batches come in order. */
  #isKnown: ((id: EventId) => boolean) | undefined;
  /** Batches that came before `begin`, which tells the events that the client has. */
  #joining: LiveBatch[] | undefined = [];
  /** Messages that wait for the end of the replay. */
  #early: Buffer[] = [];
  /** Size of what waits. */
  #waiting = 0;

  /** `onEvents` is called when events, or a gap, were sent. */
  constructor(view: LiveView, onEvents: () => void) {
    this.#view = view;
    this.#onEvents = onEvents;
  }

  *take(batch: LiveBatch): Generator<undefined, void, undefined> {
    yield* batch.evaluate(this.#view);
    this.#take(batch);
  }

  #take(batch: LiveBatch): void {
    if (this.#joining === undefined) this.#send(this.#freshText(batch));
    else if (this.#mayWait(batch.characters)) this.#joining.push(batch);
  }

  comment(): void {
    this.#output?.send(COMMENT);
  }

  /** `isKnown` tells whether an event was stored before the listener joined. */
  async begin(
    output: LiveOutput,
    services: ReplayServices,
    { isKnown, ...replay }: Replay & { isKnown: (id: EventId) => boolean },
  ): Promise<void> {
    this.#endJoining(isKnown);
    const hasEvents = await sendReplay(output, services, { ...replay, view: this.#view });
    // A client that reads its first events too slowly gets a gap or these events when it connects again.
    if (this.#waiting > MAX_BACKLOG_BYTES) {
      output.cut();
      return;
    }
    this.#output = output;
    for (const text of this.#early.splice(0)) this.#send(text);
    if (hasEvents) this.#onEvents();
  }

  /** From now on only messages wait: a batch has all events, however few of them the client gets. */
  #endJoining(isKnown: (id: EventId) => boolean): void {
    this.#isKnown = isKnown;
    const batches = this.#joining ?? [];
    this.#joining = undefined;
    if (this.#waiting > MAX_BACKLOG_BYTES) return;
    this.#waiting = 0;
    for (const batch of batches) this.#take(batch);
  }

  /** False, also later, once more waits than a client may leave unread. */
  #mayWait(size: number): boolean {
    if (this.#waiting <= MAX_BACKLOG_BYTES) this.#waiting += size;
    return this.#waiting <= MAX_BACKLOG_BYTES;
  }

  /** The messages of the events that the client does not have. */
  #freshText(batch: LiveBatch): Buffer {
    const fresh = this.#isKnown === undefined ? batch : batch.without(this.#isKnown);
    if (fresh === batch) this.#isKnown = undefined;
    return fresh.textFor(this.#view);
  }

  #send(text: Buffer): void {
    if (text.length === 0) return;
    if (this.#output) {
      this.#output.send(text);
      this.#onEvents();
    } else if (this.#mayWait(text.length)) this.#early.push(text);
  }
}
