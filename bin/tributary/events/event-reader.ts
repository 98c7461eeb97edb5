import * as z from 'zod';
import { FIRST_SYNCHRONOUS } from '../../../shared/domain/event/event-id.ts';
import { textFilter } from '../../../shared/lib/text-filter.ts';
import type { Api, Query } from '../session/api.ts';
import { type Summary, Summary as SummarySchema } from '../session/response-schemas.ts';
import type { NamedSummary } from '../output/event-lines.ts';

/** A stream of one emitter. */
export interface StreamRef {
  emitterId: string;
  stream?: string | undefined;
  /** JSON text of an event pattern. */
  filter?: string | undefined;
}

/** Events that a stream keeps readable. */
export const READABLE = 100;

export const emitterPath = (id: string): string =>
  `/${id.startsWith('p_') ? 'workflows' : 'sources'}/${encodeURIComponent(id)}`;

export const summariesPath = (id: string): string => `${emitterPath(id)}/event_summaries`;

interface ReadOptions {
  whole: boolean;
  signal?: AbortSignal | undefined;
}

const queryOf = ({ stream, filter }: StreamRef, { whole }: ReadOptions): Query => ({
  event_name: stream,
  filter,
  expand: whole ? 'event' : undefined,
});

/** Whether an event is one of those that are sought. */
export type EventMatch = (event: Summary) => boolean;

/** Events whose ids, summary or data have a text, ignoring case; undefined without one. */
export const textMatch = (search: string | undefined): EventMatch | undefined =>
  textFilter(search, ({ id, event, metadata: { emit_id: emitId, summary } }: Summary) => [
    id,
    emitId,
    summary,
    JSON.stringify(event),
  ]);

/** The last events of a stream, oldest first. */
export async function lastEvents(
  api: Pick<Api, 'list'>,
  ref: StreamRef,
  { limit, ...options }: ReadOptions & { limit: number },
): Promise<Summary[]> {
  const { signal } = options;
  const query = queryOf(ref, options);
  const events = await api.list(summariesPath(ref.emitterId), SummarySchema, { query, signal, limit });
  return events.reverse();
}

export interface NewEvents {
  /** Oldest first. */
  events: Summary[];
  /** Events that came and went unseen, as far as the ids tell. */
  missed: number;
}

/** The events after a position, oldest first: all of them, unless more came than a stream keeps. */
export async function eventsAfter(
  api: Pick<Api, 'get'>,
  ref: StreamRef,
  { position, ...options }: ReadOptions & { position: string },
): Promise<NewEvents> {
  const events: Summary[] = [];
  let before = position;
  while (events.length < READABLE) {
    const query = { ...queryOf(ref, options), limit: READABLE, before };
    const items = await api.get(summariesPath(ref.emitterId), z.array(SummarySchema), {
      query,
      signal: options.signal,
    });
    const [newest] = items;
    if (!newest) break;
    events.push(...items.reverse());
    before = newest.id;
    // Fewer and no longer ones: the page was not cut short by its size.
    if (items.length === READABLE || !options.whole) break;
  }
  const isFull = events.length >= READABLE && position !== BEGINNING;
  return { events, missed: isFull ? gapBefore(events[0]?.id ?? position, position) : 0 };
}

/** Before every event. */
export const BEGINNING = '0-0';

/**
 * Sequence numbers count the events of one millisecond, so the first one shows how many before it are gone at least.
 */
export function gapBefore(first: string, position: string): number {
  const [ms = '', text = '0'] = first.split('-');
  const [lastMs = '', lastText = '0'] = position.split('-');
  const sequence = Number(text);
  if (sequence >= FIRST_SYNCHRONOUS) return 0;
  return ms === lastMs ? sequence - Number(lastText) - 1 : sequence;
}

/** Event ids order by time, then sequence. */
export function compareIds(a: string, b: string): number {
  const [aMs = '', aSequence = ''] = a.split('-');
  const [bMs = '', bSequence = ''] = b.split('-');
  return Number(aMs) - Number(bMs) || Number(aSequence) - Number(bSequence);
}

/** Reads a stream, or those of every source, from where it was read before. */
export interface EventReader {
  /** The last events, or the last that match. */
  last(limit: number, matches?: EventMatch): Promise<NamedSummary[]>;
  next(signal: AbortSignal): Promise<{ events: NamedSummary[]; missed: number }>;
  /** Whether `next` itself waits for events. */
  readonly waits: boolean;
}
