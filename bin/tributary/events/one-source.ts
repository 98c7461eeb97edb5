import { setTimeout as delay } from 'node:timers/promises';
import type { Api } from '../session/api.ts';
import { CommandFailure } from '../failures.ts';
import { BEGINNING, type EventReader, eventsAfter, lastEvents, READABLE, type StreamRef } from './event-reader.ts';
import { nextEvents } from './next-events.ts';

/** Time between two reads without a live stream. */
const WITHOUT_STREAM_MS = 1_000;

/** Reads a stream of one emitter, by its live stream. */
export function oneSourceReader(
  api: Pick<Api, 'get' | 'getText' | 'list'>,
  { whole, ...ref }: StreamRef & { whole: boolean },
): EventReader {
  let position = BEGINNING;
  return {
    async last(limit, matches) {
      const events = await lastEvents(api, ref, { limit: matches ? READABLE : limit, whole });
      position = events.at(-1)?.id ?? position;
      return matches ? events.filter(matches).slice(-limit) : events;
    },
    waits: true,
    async next(signal) {
      try {
        const found = await nextEvents(api, ref, { position, signal });
        position = found.position;
        return found;
      } catch (error) {
        if (!(error instanceof CommandFailure) || error.report.code !== 'too_many_live_streams') throw error;
        // Other clients of the user follow as many streams as are allowed: this one polls.
        await delay(WITHOUT_STREAM_MS, undefined, { signal });
        const found = await eventsAfter(api, ref, { position, whole, signal });
        position = found.events.at(-1)?.id ?? position;
        return found;
      }
    },
  };
}
