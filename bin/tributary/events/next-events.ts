import type { Api } from '../session/api.ts';
import { type Summary, Summary as SummarySchema } from '../session/response-schemas.ts';
import { compareIds, emitterPath, gapBefore, type NewEvents, type StreamRef } from './event-reader.ts';

/**
 * The response ends with the first events, or after 25 s: it needs no other client, and is the same through every
 * proxy.
 */
const GATHERED = { 'x-gathered-response': '1' };

interface NextEvents extends NewEvents {
  /** The position from which the next wait goes on: past events that the filter does not let through. */
  position: string;
}

/**
 * Waits for the events after a position, on the live stream of an emitter. Oldest first; none if the wait was in vain.
 */
export async function nextEvents(
  api: Pick<Api, 'getText'>,
  { emitterId, stream, filter }: StreamRef,
  { position, signal }: { position: string; signal: AbortSignal },
): Promise<NextEvents> {
  const text = await api.getText(`${emitterPath(emitterId)}/sse`, {
    query: { event_name: stream, filter, last_event_id: position },
    headers: GATHERED,
    signal,
  });
  const messages = text.split('\n\n');
  const events: Summary[] = [];
  let [before, missed, hasGap] = [position, 0, false];
  for (const message of messages) {
    if (message.startsWith('event: gap\n')) hasGap = true;
    const event = eventIn(message);
    if (!event) continue;
    if (hasGap) missed += gapBefore(event.id, before);
    [before, hasGap] = [event.id, false];
    events.push(event);
  }
  events.sort((a, b) => compareIds(a.id, b.id));
  const ids = [...text.matchAll(/^id: (.*)$/gm)].map(([, id = '']) => id);
  return {
    events,
    missed,
    // An event of a synchronous run may have a lower id than one that came before it.
    position: [position, ...ids].sort(compareIds).at(-1) ?? position,
  };
}

/** Messages with a name are no events. */
function eventIn(message: string): Summary | undefined {
  const [, data] = /^id: .*\ndata: (.*)$/.exec(message) ?? [];
  return data === undefined ? undefined : SummarySchema.parse(JSON.parse(data));
}
