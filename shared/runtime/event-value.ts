import type { CarriedEvent } from '../domain/carried-event.ts';
import { isDict } from './guards.ts';

/** The whole event of a run as a value, for the component. */
export function eventValue({ json, body }: CarriedEvent): unknown {
  const event: unknown = JSON.parse(json);
  if (body === undefined || !isDict(event)) return event;
  const { bodyRaw } = event;
  event['body'] = body === 'json' ? valueOrText(String(bodyRaw)) : bodyRaw;
  return event;
}

function valueOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
