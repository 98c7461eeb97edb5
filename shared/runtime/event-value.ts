import type { CarriedEvent } from '../domain/event/carried-event.ts';
import { withoutMark } from '../lib/json-text.ts';
import { isDict } from './guards.ts';

/** The whole event of a run as a value, for the component. */
export function eventValue({ json, body }: CarriedEvent): unknown {
  const event: unknown = JSON.parse(json);
  if (body === undefined || !isDict(event)) return event;
  const { bodyRaw } = event;
  event['body'] = body === 'json' ? JSON.parse(withoutMark(String(bodyRaw))) : bodyRaw;
  return event;
}
