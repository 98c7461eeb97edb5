import type { StreamName } from '../../domain/event/stream.ts';
import type { EmitterId } from '../../domain/id.ts';
import { BEGINNING } from '../../domain/live/resume.ts';
import type { StoredEvent } from '../../store/events/event-item.ts';
import { type StreamListener, StreamWatcher, type WatcherServices } from './stream-watcher.ts';

export interface JoinedStream {
  /** The events that were readable when the listener joined, newest first. */
  readonly stored: readonly StoredEvent[];
  leave(): void;
}

/** One watcher for each stream that has listeners in this process. */
export class Watchers {
  readonly #services: WatcherServices;
  readonly #watchers = new Map<string, StreamWatcher>();

  constructor(services: WatcherServices) {
    this.#services = services;
  }

  /** From now on the listener gets every event that is not among the stored ones, and maybe some that are. */
  async join(emitterId: EmitterId, stream: StreamName, listener: StreamListener): Promise<JoinedStream> {
    const key = `${emitterId} ${stream}`;
    const watcher = this.#watchers.get(key) ?? new StreamWatcher(this.#services, emitterId, stream);
    this.#watchers.set(key, watcher);
    const leave = () => {
      if (watcher.remove(listener) && this.#watchers.get(key) === watcher) this.#watchers.delete(key);
    };
    try {
      await watcher.add(listener);
      return { stored: await this.#services.readNewest(emitterId, stream, BEGINNING), leave };
    } catch (error) {
      leave();
      throw error;
    }
  }
}
