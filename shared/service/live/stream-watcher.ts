import type { EventId } from '../../domain/event/event-id.ts';
import type { StreamName } from '../../domain/event/stream.ts';
import type { EmitterId } from '../../domain/id.ts';
import { BEGINNING, isAfter, mayHaveLost, overlapOf } from '../../domain/live/resume.ts';
import type { WorkSteps } from '../../lib/reading/work-steps.ts';
import type { StoredEvent } from '../../store/events/event-item.ts';
import type { ItemWatch } from '../../store/table/item-watch.ts';
import { streamPartition } from '../../store/table/keys.ts';
import type { ReadNewest } from '../../store/events/newest-events.ts';
import { type StoredEventStore, wholeStoredEvent } from '../../store/events/stored-events.ts';
import { LiveBatch, type ShowEvent } from './live-batch.ts';

export interface WatcherServices {
  readNewest: ReadNewest;
  events: Pick<StoredEventStore, 'whole'>;
  watch: ItemWatch;
  /** Filters events and makes messages of them, for one listener after the other. */
  steps: Pick<WorkSteps, 'finish'>;
  show: ShowEvent;
  pause: (ms: number) => Promise<unknown>;
  now(): number;
}

/** Gets the events of a stream as they become readable. */
export interface StreamListener {
  take(batch: LiveBatch): Generator<undefined, void, undefined>;
}

/** Interval of the reads where nothing tells of new events. */
const POLL_MS = 250;
/** Least time between two reads: events of one moment share a read and a write to each listener. */
const SPACING_MS = 50;
const AFTER_FAILURE_MS = 1_000;
const CONCURRENT_READS = 8;
/** Characters of a batch: larger ones take much memory. */
const BATCH_CHARACTERS = 256 * 1024;
/** More than a stream stores. */
const REMEMBERED_IDS = 512;

/** Reads the new events of one stream, for all of its listeners. It runs while there are any. */
export class StreamWatcher {
  readonly #services: WatcherServices;
  readonly #emitterId: EmitterId;
  readonly #stream: StreamName;
  readonly #listeners = new Set<StreamListener>();
  /** The newest ids that were read, in the order of their reads. */
  readonly #known = new Set<EventId>();
  #newest = BEGINNING;
  #ready: Promise<void> | undefined;
  #end: (() => void) | undefined;
  #isChanged = false;
  #isReading = false;

  constructor(services: WatcherServices, emitterId: EmitterId, stream: StreamName) {
    this.#services = services;
    this.#emitterId = emitterId;
    this.#stream = stream;
  }

  /** From now on the listener gets every new event. */
  async add(listener: StreamListener): Promise<void> {
    this.#listeners.add(listener);
    try {
      await (this.#ready ??= this.#start());
    } catch (error) {
      this.#ready = undefined;
      throw error;
    }
  }

  /** True when it was the last one. */
  remove(listener: StreamListener): boolean {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return false;
    this.#end?.();
    return true;
  }

  async #start(): Promise<void> {
    const { readNewest, watch } = this.#services;
    // It is watched before the first read, so that no event comes between the two.
    this.#end = watch(
      { pk: streamPartition(this.#emitterId, this.#stream) },
      {
        everyMs: POLL_MS,
        onChange: () => {
          this.#isChanged = true;
          if (!this.#isReading) void this.#readChanges();
        },
      },
    );
    this.#isReading = true;
    try {
      const stored = await readNewest(this.#emitterId, this.#stream, BEGINNING);
      this.#remember(stored.reverse());
    } catch (error) {
      this.#end();
      throw error;
    } finally {
      this.#isReading = false;
    }
    if (this.#isChanged) void this.#readChanges();
  }

  async #readChanges(): Promise<void> {
    const { pause } = this.#services;
    this.#isReading = true;
    while (this.#isChanged && this.#listeners.size > 0) {
      this.#isChanged = false;
      try {
        await this.#read();
        await pause(SPACING_MS);
      } catch {
        // A table that refuses reads for a moment: the events are still there afterwards.
        this.#isChanged = true;
        await pause(AFTER_FAILURE_MS);
      }
    }
    this.#isReading = false;
  }

  async #read(): Promise<void> {
    const { readNewest, events, steps, show, now } = this.#services;
    const stored = await readNewest(this.#emitterId, this.#stream, overlapOf(this.#newest, now()));
    const fresh = stored.filter(({ id }) => !this.#known.has(id)).reverse();
    let hasGap = mayHaveLost(stored, this.#newest);
    let batch: StoredEvent[] = [];
    let characters = 0;
    const send = async () => {
      this.#remember(batch);
      const together = new LiveBatch(this.#emitterId, batch, { show, hasGap });
      [batch, characters, hasGap] = [[], 0, false];
      for (const listener of this.#listeners) await steps.finish(() => listener.take(together));
    };
    for (let at = 0; at < fresh.length; at += CONCURRENT_READS) {
      const part = fresh.slice(at, at + CONCURRENT_READS);
      const whole = await Promise.all(part.map((each) => wholeStoredEvent(events, this.#emitterId, each)));
      batch.push(...whole);
      for (const { json } of whole) characters += json.length;
      if (characters > BATCH_CHARACTERS) await send();
    }
    if (batch.length > 0 || hasGap) await send();
  }

  #remember(events: readonly StoredEvent[]): void {
    for (const { id } of events) {
      this.#known.add(id);
      if (isAfter(id, this.#newest)) this.#newest = id;
    }
    for (const id of this.#known) {
      if (this.#known.size <= REMEMBERED_IDS) return;
      this.#known.delete(id);
    }
  }
}
