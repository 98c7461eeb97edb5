import type { Api } from '../session/api.ts';
import { type Summary, Summary as SummarySchema } from '../session/response-schemas.ts';
import { compareIds, emitterPath, gapBefore, type NewEvents, type StreamRef } from './event-reader.ts';

/** The response ends with the first events, or after 25 s: it needs no other client, and is the same through every proxy. */
const GATHERED = { 'x-gathered-response': '1' };

interface NextOptions {
  position: string;
  signal: AbortSignal;
}

/** Waits for the events after a position, on the live stream of an emitter. Oldest first; none if the wait was in vain. */
export async function nextEvents(
  api: Api,
  { emitterId, stream, filter }: StreamRef,
  { position, signal }: NextOptions,
): Promise<NewEvents> {
  const text = await api.getText(`${emitterPath(emitterId)}/sse`, {
    query: { event_name: stream, filter, last_event_id: position },
    headers: GATHERED,
    signal,
  });
  const messages = text.split('\n\n');
  const events = messages.flatMap((message) => eventIn(message) ?? []).sort((a, b) => compareIds(a.id, b.id));
  const hasGap = messages.some((message) => message.startsWith('event: gap\n'));
  return { events, missed: hasGap ? gapBefore(events[0]?.id ?? position, position) : 0 };
}

/** Messages with a name are no events. */
function eventIn(message: string): Summary | undefined {
  const [, data] = /^id: .*\ndata: (.*)$/.exec(message) ?? [];
  return data === undefined ? undefined : SummarySchema.parse(JSON.parse(data));
}
