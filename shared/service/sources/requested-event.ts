import * as z from 'zod';
import type { CarriedEvent } from '../../domain/event/carried-event.ts';
import { httpEvent } from '../../domain/event/http-event.ts';
import { endpointAddress, type EndpointForm } from '../../domain/source/endpoint-address.ts';
import type { Source } from '../../domain/source/source.ts';
import { timerEvent } from '../../domain/source/timer-event.ts';

interface RequestedEvent {
  /** JSON text of an object, as the caller sent it. */
  text: string | undefined;
  ingressUrl: string;
  form: EndpointForm;
  clientIp: string;
  now: number;
}

/**
 * The event of a requested run. Without a text it is what the source gets by itself: the event of a tick, or that of a
 * POST of `{}`. For a source with an HTTP interface an object without `method` or `headers` is the body of such a POST,
 * unless the source has a timer as well and the object is the event of a tick.
 */
export function requestedEvent(
  { traits: { timer, timerProp, httpProp }, endpointId }: Pick<Source, 'traits' | 'endpointId'>,
  { text, ingressUrl, form, clientIp, now }: RequestedEvent,
): CarriedEvent {
  if (text === undefined && timerProp !== undefined) return { json: timerEvent(now, timer) };
  const json = text ?? '{}';
  if (httpProp === undefined || endpointId === undefined || isHttpEvent(json)) return { json };
  if (timerProp !== undefined && TimerEvent.safeParse(JSON.parse(json)).success) return { json };
  const { href: address, host } = new URL(endpointAddress(ingressUrl, endpointId, form));
  return httpEvent({
    method: 'POST',
    path: '/',
    query: '',
    headers: new Map([
      ['host', host],
      ['content-type', 'application/json'],
      ['content-length', String(Buffer.byteLength(json))],
    ]),
    body: { content: json },
    clientIp,
    address,
  });
}

/** An object with other members is a body. */
const TimerEvent = z.strictObject({
  timestamp: z.number(),
  interval_seconds: z.unknown().optional(),
  intervalSeconds: z.unknown().optional(),
  cron: z.unknown().optional(),
  timezone: z.unknown().optional(),
});

function isHttpEvent(json: string): boolean {
  const event: unknown = JSON.parse(json);
  return Object.hasOwn(Object(event), 'method') && Object.hasOwn(Object(event), 'headers');
}
